package overview

import (
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// templated sets the fields about templates in the extractions of the page that was
// added last.
func (f *folder) templated(extractor, status, notes string, coverage float64, inSample bool) {
	f.t.Helper()
	n := len(f.m.Run.Recipe.Extractors)
	for i := len(f.documents) - n; i < len(f.documents); i++ {
		d := &f.documents[i]
		if d.Extractor != extractor {
			continue
		}
		d.TemplateMethod, d.TemplateStatus, d.Notes, d.Coverage, d.InSample = extractor, status, notes, coverage, inSample
		if status == "ok" {
			d.TemplateID = "t"
		} else {
			d.Outcome, d.Reason = "skipped", status
		}
		return
	}
	f.t.Fatalf("no extractor %s", extractor)
}

// The page shows what was learned for each learned method, with the reasons of sites
// without a template, and what was removed for each package.
func TestTemplates(t *testing.T) {
	f := newFolder(t, schemas.Method{}, "plain", "site")
	f.m.Run.Recipe.SiteBy = "host"
	row := func(site, method, status, flags string, pages, bytes, ns int64) {
		f.templates = append(f.templates, schemas.TemplateRow{Run: "r", Site: site, Method: method, Status: status, Flags: flags,
			Pages: pages, Bytes: bytes, LearnNS: ns, SiteBy: "host"})
	}
	row("a", "site", "ok", "small_sample", 10, 3000, 4e6)
	row("b", "site", "ok", "truncated,reused", 25, 1000, 99e6)
	row("c", "site", "empty", "", 25, 200, 2e6)
	row("c", "other", "learn_failed", "", 25, 0, 0)
	row("d", "site", "too_few_pages", "", 3, 0, 0)
	row("d", "other", "oversize", "", 25, 0, 0)
	f.page("p", "1", "", 0.5)
	f.templated("site", "ok", "", 0.25, true)
	f.page("p", "2", "", 0.5)
	f.templated("site", "ok", "x,no_match", 0, false)
	f.page("q", "3", "", 0.5)
	f.templated("site", "ok", "", 0.5, false)
	f.page("q", "4", "", 0.5)
	f.templated("site", "too_few_pages", "", 0, false)
	page, text := made(t, f.finish(), Options{})
	for _, want := range []string{
		"3 sites had pages to learn from; a site is a host.",
		"other 0 0 0 1 1 0 0 0 – 0 B 0 B –",
		"site 2 1 1 0 0 1 1 1 20 1.4 KiB 2.9 KiB 3 ",
		"all site 0.250 3 1 1 1 ",
		"p site 0.125 2 1 1 0 ",
		"q site 0.500 1 0 0 1 ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text[strings.Index(text, "Templates"):])
		}
	}
	if strings.Contains(page, "too many to look through") {
		t.Error("three pages are too many")
	}

	_, text = made(t, f, Options{Rows: 1})
	if !strings.Contains(text, "column coverage: 8 rows are too many") || strings.Contains(text, "nothing matched") {
		t.Error("documents were read, or it is not said that they were not")
	}
}

// A run with a single site-level extractor has the section too. A run that learned
// nothing has no such section.
func TestTemplatesOfOneExtractor(t *testing.T) {
	f := newFolder(t, schemas.Method{}, "site")
	f.templates = []schemas.TemplateRow{{Run: "r", Site: "a", Method: "site", Status: "ok", Pages: 5}}
	f.page("p", "1", "", 1)
	f.templated("site", "ok", "", 0.75, false)
	if _, text := made(t, f.finish(), Options{}); !strings.Contains(text, "p site 0.750 1 0 0 0") {
		t.Errorf("no coverage:\n%s", text)
	}
	f = newFolder(t, schemas.Method{}, "plain")
	f.page("p", "1", "", 1)
	if page, _ := made(t, f.finish(), Options{}); strings.Contains(page, `id="templates"`) {
		t.Error("a run without templates speaks of them")
	}
}
