package rights

import (
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms/fact"
)

// uses are the columns of the labels of Content-Usage and Content-Signal.
var uses = map[string]int{
	"train-ai": trainAIReserved, "ai-train": trainAIReserved,
	"ai-use": aiUseReserved, "ai-input": aiUseReserved,
	"search": searchReserved,
}

// usage finds the preferences of use in the headers. Those of one name in the files of the
// host count if the page has no header of that name.
func usage(s *fact.Subject) {
	var said map[string][]string // most pages say nothing
	headers := s.Headers
	if s.Site != nil {
		headers = slices.Clip(headers)
		for _, h := range s.Site.Headers {
			if !slices.ContainsFunc(s.Headers, func(own fact.Header) bool { return own.Name == h.Name }) {
				headers = append(headers, h)
			}
		}
	}
	for _, h := range headers {
		if h.Name != "content-usage" && h.Name != "content-signal" {
			continue
		}
		for member := range strings.SplitSeq(strings.ToLower(h.Value), ",") {
			member, _, _ = strings.Cut(member, ";") // parameters
			label, value, has := strings.Cut(strings.TrimSpace(member), "=")
			if label, value = strings.TrimSpace(label), strings.TrimSpace(value); !isToken(label) || has && !isToken(value) {
				continue
			}
			if has {
				member = label + "=" + value
			} else {
				member = label
			}
			if list := said[h.Name]; len(list) == maxRules || slices.Contains(list, member) {
				continue
			}
			if said == nil {
				said = map[string][]string{}
			}
			said[h.Name] = append(said[h.Name], member)
			column, known := uses[label]
			if !known {
				continue
			}
			switch out := &s.Out[column]; value {
			case "n", "no":
				out.SetBool(true)
			case "y", "yes":
				if !out.Known {
					out.SetBool(false)
				}
			}
		}
	}
	s.Out[contentUsage].SetText(strings.Join(said["content-usage"], ","))
	s.Out[contentSignal].SetText(strings.Join(said["content-signal"], ","))
}
