package choose

import (
	"errors"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
)

func testList() []*algorithms.Extractor {
	plain := func(name string) *algorithms.Extractor {
		return &algorithms.Extractor{Description: algorithms.Description{Name: name}}
	}
	tuned := plain("alarte-silva")
	tuned.With = func(settings map[string]string) (*algorithms.Extractor, error) {
		if _, ok := settings["c"]; !ok {
			return nil, errors.New("alarte-silva: settings are c, tr, hr")
		}
		return plain("alarte-silva"), nil
	}
	site := plain("sst")
	site.Learn = &algorithms.Learner{}
	return []*algorithms.Extractor{plain("bte"), plain("lqf-25"), plain("lqf-50"), tuned, site}
}

func TestExtractors(t *testing.T) {
	for expr, want := range map[string]string{
		"":                                   "",
		"all":                                "bte lqf-25 lqf-50 alarte-silva sst",
		"page":                               "bte lqf-25 lqf-50 alarte-silva",
		"site":                               "sst",
		" lqf-50 ,bte":                       "bte lqf-50",
		"bte,bte,all":                        "bte lqf-25 lqf-50 alarte-silva sst",
		"alarte-silva:c=4":                   "alarte-silva:c=4",
		"alarte-silva:tr=2:c=4,alarte-silva": "alarte-silva:c=4:tr=2 alarte-silva",
	} {
		got, err := Extractors(testList(), expr)
		if err != nil {
			t.Errorf("%q: %v", expr, err)
			continue
		}
		var names []string
		for _, e := range got {
			names = append(names, e.Name)
		}
		if s := strings.Join(names, " "); s != want {
			t.Errorf("%q chooses %q, want %q", expr, s, want)
		}
	}
}

func TestExtractorsErrors(t *testing.T) {
	for expr, want := range map[string]string{
		"lfq-25":               "did you mean lqf-25?",
		"readability":          "there are: alarte-silva, bte, lqf-25, lqf-50, sst, all, page, site",
		"pag":                  `no extractor "pag" (did you mean page?); there are`,
		"pade":                 `no extractor "pade"; there are`,
		"fall":                 `no extractor "fall" (did you mean all?); there are`,
		"btex":                 `no extractor "btex" (did you mean bte?); there are`,
		"nope":                 `no extractor "nope"; there are`,
		"ball":                 `no extractor "ball" (did you mean all?); there are`,
		"alt":                  `no extractor "alt"; there are`,
		"bte:x=1":              "has no settings",
		"alarte-silva:x=1":     "settings are c, tr, hr",
		"alarte-silva:c":       `setting "c" is not of the form name=value`,
		"alarte-silva:c=1:c=2": "given twice",
		"alarte-silva:c=" + strings.Repeat("0", 600) + "4": "the settings have 603 bytes, the name and they may have at most 500",
	} {
		_, err := Extractors(testList(), expr)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want it to say %q", expr, err, want)
		}
	}
}
