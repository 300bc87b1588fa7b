package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// anchor is a system that uses a large model, with its published figures.
type anchor struct {
	system, hardware string
	perSecond        float64 // pages
	dollars          float64 // for a billion pages
	f1               float64 // word F1 on WCXB's development set; 0 if it is not published
	source           string
}

var anchors = []anchor{
	{"Pulpie Orange Small, encoder of 210 million weights that labels blocks", "one L4", 13.7, 7900, 0, "feyninc/pulpie, README and BENCHMARKS.md: ROUGE-5 .862 on WebMainBench, English"},
	{"Dripper (MinerU-HTML), language model of 0.6 billion weights", "one L4", 0.68, 159000, .827, "cost: as above, ROUGE-5 .864; word F1: WCXB, whose development set has 139 pages more than `wcxb-dev`"},
}

// writeAnchors writes a comparison with extractors that are large models.
func (w *writer) writeAnchors() {
	w.line("\n## Beside large models\n")
	w.line("Their costs are published for rented graphics processors at about 0.39 USD an hour, ours are those above.\n")
	w.line("| extractor | on | pages/s | USD for 10⁹ pages | word F1, WCXB | source |\n|---|---|--:|--:|--:|---|")
	for _, name := range []string{ours, "boilerpipe-article", "trafilatura"} {
		c, known := w.costOf(name, w.price)
		if !known || w.wcxb == nil {
			continue
		}
		f1, low, high, _ := w.wcxb.mean(name)
		w.line("| `%s` | one core | %s | %s | %s | this page |", name, thousands(c.perSecond), thousands(c.dollars), interval(f1, low, high))
	}
	for _, a := range anchors {
		f1 := ""
		if a.f1 > 0 {
			f1 = percent(a.f1)
		}
		w.line("| %s | %s | %s | %s | %s | %s |", a.system, a.hardware, thousands(a.perSecond), thousands(a.dollars), f1, a.source)
	}
	if c, ok := w.costOf(ours, w.price); ok && c.dollars > 0 {
		w.line("\nA billion pages cost 1/%s of the encoder's price with `%s`, and 1/%s of the language model's.",
			thousands(anchors[0].dollars/c.dollars), ours, thousands(anchors[1].dollars/c.dollars))
	}
	w.line("The best figure that the benchmark publishes for its development set is that of rs-trafilatura, rules with a classifier: 85.9. Its README")
	w.line("publishes its cost on a machine of its own: 21.8 ms a page, or 46 pages a second.")
}

// writeAdvice writes recommendations for three kinds of users. The figures in them come
// from the tables; the conclusions are written by hand.
func (w *writer) writeAdvice() {
	w.line("\n## Which to take\n")
	r := strings.NewReplacer(w.adviceFigures()...)
	for _, p := range advice {
		w.line("%s\n", r.Replace(p))
	}
	w.writeBetter()
}

// writeBetter lists the packages on which other extractors are better than our own.
func (w *writer) writeBetter() {
	w.line("**Where `%s` is not the best**: by word F1 others are ahead of it on these packages; up to five are named, and whether the paired", ours)
	w.line("difference is beyond its 95 %% interval.\n")
	w.line("| package | `%s` | ahead of it |\n|---|--:|---|", ours)
	for i, p := range w.packages {
		s := w.words(i, "")
		own, _, _, ok := s.mean(ours)
		if !ok {
			continue
		}
		var ahead []string
		for _, e := range w.methods {
			if s.index(e.Name) >= 0 && !e.Oracle && s.bootstrap.Mean(s.index(e.Name)) > own {
				ahead = append(ahead, e.Name)
			}
		}
		slices.SortStableFunc(ahead, func(a, b string) int {
			return cmp.Compare(s.bootstrap.Mean(s.index(b)), s.bootstrap.Mean(s.index(a)))
		})
		var cells []string
		for _, name := range ahead[:min(5, len(ahead))] {
			cell := fmt.Sprintf("`%s` %s", name, percent(s.bootstrap.Mean(s.index(name))))
			if _, low, _, _ := s.bootstrap.Difference(s.index(name), s.index(ours)); low > 0 {
				cell += " (beyond)"
			}
			cells = append(cells, cell)
		}
		w.line("| %s | %s | %s |", p.Name, percent(own), cmp.Or(strings.Join(cells, ", "), "none"))
	}
}

// adviceFigures returns the values of the names in braces in advice.
func (w *writer) adviceFigures() (pairs []string) {
	at := w.find(typed)
	for _, e := range w.methods {
		f1, segment, speed, dollars, empties := "–", "–", "–", "–", ""
		if w.wcxb != nil {
			if x, _, _, ok := w.wcxb.mean(e.Name); ok {
				f1 = percent(x)
			}
		}
		if i := w.find("trafilatura-dev"); i >= 0 {
			if s, ok := w.segmentsOf(i, e.Name); ok {
				segment = percent(s.f)
			}
		}
		if c, ok := w.costOf(e.Name, w.price); ok {
			speed, dollars = thousands(c.megabytes), thousands(c.dollars)
		}
		empties = fmt.Sprint(w.gapsOf(e.Name).wrong)
		pairs = append(pairs, "{"+e.Name+" f1}", f1, "{"+e.Name+" segments}", segment, "{"+e.Name+" MB/s}", speed, "{"+e.Name+" USD}", dollars, "{"+e.Name+" empty}", empties)
	}
	if at < 0 {
		return pairs
	}
	for _, k := range []string{"article", "collection", "forum", "listing", "product", "service", "documentation"} {
		s := w.words(at, k)
		for _, name := range s.names {
			x, _, _, _ := s.mean(name)
			pairs = append(pairs, "{"+name+" "+k+"}", percent(x))
		}
	}
	return pairs
}

// advice has one paragraph for each kind of user.
var advice = []string{
	"**A keeper of a crawl**, who wants the texts of everything once, whatever it is: `winnow`. It is the best here over pages of all types " +
		"({winnow f1}, next to {trafilatura f1} of `trafilatura` and {readability f1} of `readability`), it reads {winnow MB/s} MB/s on a core, and a billion pages cost about " +
		"{winnow USD} USD of processor time, where the libraries cost {readability USD} to {trafilatura USD}. Keep `plain` beside it (the default run does, at " +
		"{plain MB/s} MB/s): what `winnow` left out can be found again without reading the crawl a second time. Low `documents.confidence` says which pages to look at. " +
		"More extractors pay on a sample of the pages, not on all: they share one parse, but a library, run as a program, alone takes many times what `winnow` takes.",
	"**A search engine**, which needs the page's own words without its navigation and cannot afford to lose a page: `winnow` for the index. Its answer is wrongly " +
		"empty on {winnow empty} pages of all packages here ({trafilatura empty} with `trafilatura`, {domdistiller empty} with `domdistiller`); `plain` is on {plain empty}, which show no text without scripts. " +
		"Forums and products are where extractors differ: on forums `winnow` has {winnow forum}, `trafilatura` {trafilatura forum}; on products {winnow product} and {trafilatura product}. " +
		"Nobody is good at products, collections and listings yet; the whole text (`plain`) has {plain product}, {plain collection} and {plain listing} there, so for these an engine may index all text and " +
		"weight the extracted part. Who wants no learned model takes `cehtd-ds` ({cehtd-ds f1} on all types, {cehtd-ds article} on articles), which is faster still.",
	"**A researcher**, who compares or builds a corpus: for a corpus of articles all of the good extractors are near each other ({winnow article} `winnow`, {readability article} `readability`, " +
		"{trafilatura article} `trafilatura`), so take one and report it; the choice matters on the other types, where reporting one mean hides it. `winnow:comments=include` keeps readers' comments. " +
		"Off English, mostly German, `winnow` has {winnow segments} and `trafilatura` {trafilatura segments} (F of segments). To compare methods, run all of them in one pass with a gold package of your own, " +
		"and look at pages with `winnow inspect`; `ensemble-oracle` ({ensemble-oracle f1}) is the best that choosing each page's answer among nine other methods could give. " +
		"How near each method is to its paper is in [reproduction.md](reproduction.md); what was good on the pages of its time need not be on those of today " +
		"(`dsc` has {dsc f1}, `boilerpipe-largest` {boilerpipe-largest f1}).",
}
