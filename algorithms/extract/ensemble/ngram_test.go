package ensemble

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

// texts returns a pass over html in which the members gave the texts answers; "-"
// means a member that failed.
func texts(html string, answers ...string) (*algorithms.Pass, []setting.Member) {
	p := algotest.Pass(html)
	var members []setting.Member
	for _, text := range answers {
		e := &algorithms.Extractor{Description: algorithms.Description{Name: text, Family: text}}
		members = append(members, setting.Member{Extractor: e, Weight: 1})
		p.Answers = append(p.Answers, algorithms.Answer{Extractor: e, OK: text != "-", Text: []byte(text)})
	}
	return p, members
}

func TestNGrams(t *testing.T) {
	const html = "<p>Home News Contact</p><p>The grain was cut late in the dry year.</p><p>Home News</p>"
	for _, c := range []struct {
		why, want string
		answers   []string
	}{
		{"a sentence inside: every word begins or ends a 5-gram", "The grain was cut late in the dry year.", []string{"The grain was cut late in the dry year."}},
		{"four words match only at the ends of the page", "", []string{"The grain was cut"}},
		{"the first words of the page, up to where the texts part", "Home News Contact The", []string{"Home News Contact The other"}},
		{"of a text that is there twice the place is told by its neighbours", "year. Home News", []string{"year. Home News"}},
		{"two of three, and one of them failed", "", []string{"The grain was cut late", "-", "other"}},
		{"share .66 of three is one whole member", "The late", []string{"The grain was cut late", "-", ""}},
		{"of two it is one", "The late", []string{"The grain was cut late", "other"}},
	} {
		pass, members := texts(html, c.answers...)
		p := Params{Members: members, Share: 0.66}
		if c.why == "two of three, and one of them failed" {
			p.Share = 0.67
		}
		if err := p.match(pass); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(string(pass.AppendText(nil))), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
}

// slowMatch votes as the definition says, with 5-grams as strings.
func slowMatch(p *algorithms.Pass) page.Selection {
	weights := map[string]int{"lqf-50": 2, "density": 3}
	var tokens []page.Span
	for _, w := range p.Body.Words().Span {
		if n := len(tokens); n > 0 && tokens[n-1].End == w.Start {
			tokens[n-1].End = w.End
		} else {
			tokens = append(tokens, w)
		}
	}
	const sentinel = " " // no token contains a blank
	padded := []string{sentinel, sentinel, sentinel, sentinel}
	for _, s := range tokens {
		padded = append(padded, string(p.Body.Text[s.Start:s.End]))
	}
	padded = append(padded, padded[:4]...)
	votes := make([]int, len(tokens))
	for _, a := range p.Answers {
		words := []string{sentinel, sentinel, sentinel, sentinel, sentinel}
		words = append(words, strings.FieldsFunc(string(a.Text), space)...)
		words = append(words, words[:5]...)
		grams := map[[5]string]bool{}
		for i := range len(words) - 4 {
			grams[[5]string(words[i:i+5])] = true
		}
		for i := range tokens {
			if grams[[5]string(padded[i:i+5])] || grams[[5]string(padded[i+4:i+9])] {
				votes[i] += max(weights[a.Extractor.Name], 1)
			}
		}
	}
	var out page.Selection
	for i, s := range tokens {
		if votes[i] >= 4 { // the integer part of .66 times seven members
			out.AddSpan(p.Body, s)
		}
	}
	return out
}

func TestNGramsAgainstTheirTwin(t *testing.T) {
	algotest.Twin(t, settled(t, newNGram), 200, slowMatch)
	for _, p := range algotest.RealPages(t, 10, "cleaneval-dev", "wcxb-dev") {
		if !algotest.SameAsTwin(t, settled(t, newNGram), p.HTML, slowMatch) {
			t.Errorf("differs on %s", p.Name)
		}
	}
}

func TestFields(t *testing.T) {
	for _, text := range []string{"", " ", "a", " a", "a ", "one  two\tthree\u00a0four\u2003five\x1csix", "broken \xff\xe2\x80 text\xe2", "\u3000日本\u3000語"} {
		var got [][]byte
		for part := range fields([]byte(text)) {
			got = append(got, part)
		}
		if want := bytes.FieldsFunc([]byte(text), space); !slices.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
