package main

// figure is one published number and the figure of ours to compare with.
type figure struct {
	extractor string
	value     float64
}

// column says which figure of the packages table a published number is compared with.
type column string

const (
	precision column = "P"          // mean precision
	recall    column = "R"          // mean recall
	f1Macro   column = "F1"         // mean of the documents' F1
	f1OfMeans column = "F1 of P, R" // harmonic mean of mean precision and recall: the headline of such a scorer
	f1Micro   column = "F1 pooled"  // from pooled counts: the headline of such a scorer
	pMicro    column = "P pooled"
	rMicro    column = "R pooled"
)

// table is one published table, or one column of it, on one of our packages.
type table struct {
	title   string
	source  string
	note    string // differences between their set-up and ours
	theirs  string // kind of their figures; "published" if empty
	pkg     string
	scorer  string
	column  column
	figures []figure
	// systems names, by extractor, the program that a figure belongs to, if that is not
	// the method of the same name.
	systems map[string]string
	// because has the causes of differences beyond tolerance, by extractor.
	because map[string]string
}

// tolerance is the difference in F1 or P/R, 0 to 1, beyond which a difference
// needs an explanation.
const tolerance = 0.03

const alarteSilva = "Alarte, Silva, Page-level main content extraction from heterogeneous webpages, TKDD 2021"

const peers = "Bevendorff, Gupta, Kiesel, Stein, SIGIR 2023: outputs that their programs left, scored again by word F1 against the gold of the packages; not figures of the paper"

const barbaresi = "Barbaresi, adbar/trafilatura, docs/evaluation.rst of 2026-08-04 (the measure: ACL 2021)"

// barbaresiNote says how the published set-up differs from ours.
const barbaresiNote = "Theirs are all 990 documents of the corpus; the package is the 478 of half of its domains. " +
	"The gold is segments that must and must not be in the output, and no text; counts are summed over the package."

// barbaresiSystems has the names of the programs of trafilatura's evaluation.
var barbaresiSystems = map[string]string{
	"trafilatura": "trafilatura 2.2.0 for Python, standard", "trafilatura-precision": "trafilatura 2.2.0, precision",
	"trafilatura-fast": "trafilatura 2.2.0, fast", "trafilatura-recall": "trafilatura 2.2.0, recall",
	"justext-traf": "jusText 3.0.2, custom", "readability": "readability-lxml 0.8.4.1", "unfluff": "Goose3 3.1.22, a relative",
	"boilerpipe-article": "BoilerPy3 1.0.7", "boilerpipe-article-1-2": "BoilerPy3 1.0.7", "plain": "inscriptis 2.7.4",
}

var cleanEvalNote = "Sun et al. and Alarte & Silva do not say which CleanEval pages they used; here: the 681 pages of the final " +
	"evaluation set that have gold. The rows up to 2011 are Sun et al.'s, whose LQF has a threshold that is not published: lqf-50 is the nearest of three."

// peerSystems has the names of the programs whose outputs Bevendorff et al. kept.
var peerSystems = map[string]string{
	"readability": "readability-lxml 0.8.1", "trafilatura": "trafilatura 1.4.1 for Python", "unfluff": "Goose3 3.1.19, a relative",
	"boilerpipe-article": "the library's release, 1.2.0", "boilerpipe-article-1-2": "the library's release, 1.2.0",
	"justext-bench": "jusText 3.0.1", "domdistiller": "go-domdistiller", "bte": "bte.py", "web2text": "the authors' model, of CleanEval",
	"ensemble-majority": "ensemble_majority, other members", "ensemble-best": "ensemble_best, other members",
	"ensemble-weighted": "ensemble_weighted, other members", "ensemble-ngram": "ensemble_majority, other members",
}

var published = []table{
	{title: "CleanEval, precision", source: alarteSilva + ", Table 5", note: cleanEvalNote, pkg: "cleaneval-final", scorer: "cetd-lcs", column: precision,
		figures: []figure{{"bte", .8887}, {"dsc", .9194}, {"fe", .7387}, {"k-fe", .7928}, {"lqf-50", .8860}, {"ccb", .8061}, {"cetr", .9126},
			{"cetd-ds", .9296}, {"cectd-s", .9035}, {"cectd-ds", .9587}, {"wlr", .9660}, {"cehtd-ds", .9497}, {"alarte-silva", .9279}}, because: becauseCleanEval},
	{title: "CleanEval, recall", source: alarteSilva + ", Table 5", note: cleanEvalNote, pkg: "cleaneval-final", scorer: "cetd-lcs", column: recall,
		figures: []figure{{"bte", .9583}, {"dsc", .6201}, {"fe", .0997}, {"k-fe", .6961}, {"lqf-50", .9402}, {"ccb", .9271}, {"cetr", .8608},
			{"cetd-ds", .9452}, {"cectd-s", .9260}, {"cectd-ds", .9715}, {"wlr", .6576}, {"cehtd-ds", .9407}, {"alarte-silva", .9235}}, because: becauseCleanEval},
	{title: "CleanEval, F1", source: alarteSilva + ", Table 5", note: cleanEvalNote, pkg: "cleaneval-final", scorer: "cetd-lcs", column: f1OfMeans,
		figures: []figure{{"bte", .9222}, {"dsc", .7407}, {"fe", .1756}, {"k-fe", .7413}, {"lqf-50", .9123}, {"ccb", .8624}, {"cetr", .8859},
			{"cetd-ds", .9373}, {"cectd-s", .9146}, {"cectd-ds", .9651}, {"wlr", .7825}, {"cehtd-ds", .9452}, {"alarte-silva", .9257}}, because: becauseCleanEval},
	{title: "CleanEval, Web2Text's blocks, F1", source: alarteSilva + ", Table 6", pkg: "cleaneval-final", scorer: "web2text-blocks", column: f1Micro,
		note:    "Their test split is part of the final evaluation set; ours is all of it.",
		systems: map[string]string{"boilerpipe-article": "the library's release", "boilerpipe-article-1-2": "the library's release"},
		figures: []figure{{"bte", .83}, {"boilerpipe-default", .81}, {"boilerpipe-article-1-2", .71}, {"boilerpipe-article", .71}, {"boilerpipe-largest", .52}, {"unfluff", .70}, {"alarte-silva", .87}},
		because: becauseBlocks},
	{title: "L3S-GN1, word F1", source: peers, theirs: "recorded", systems: peerSystems, pkg: "l3s-gn1", scorer: "wcxb-word-f1", column: f1Macro,
		note: "Eight pages of the package cannot be parsed as their copies could: the recorded systems have text there, ours have none.",
		figures: []figure{{"boilerpipe-article-1-2", .966}, {"boilerpipe-article", .966}, {"readability", .934}, {"trafilatura", .900}, {"bte", .876}, {"unfluff", .875},
			{"domdistiller", .874}, {"justext-bench", .826}, {"ensemble-majority", .949}, {"ensemble-best", .951}, {"ensemble-weighted", .940}, {"ensemble-ngram", .949}, {"web2text", .885}}, because: becausePeers},
	{title: "CleanPortalEval, word F1", source: peers, theirs: "recorded", systems: peerSystems, pkg: "cleanportaleval", scorer: "wcxb-word-f1", column: f1Macro,
		figures: []figure{{"readability", .933}, {"unfluff", .928}, {"trafilatura", .921}, {"boilerpipe-article-1-2", .916}, {"boilerpipe-article", .916}, {"justext-bench", .825}, {"bte", .797}, {"ensemble-majority", .934}, {"ensemble-best", .923}, {"ensemble-weighted", .922}, {"ensemble-ngram", .934}, {"web2text", .811}},
		because: becausePeers},
	{title: "Readability's test pages, word F1", source: peers, theirs: "recorded", systems: peerSystems, pkg: "readability", scorer: "wcxb-word-f1", column: f1Macro,
		figures: []figure{{"trafilatura", .942}, {"domdistiller", .928}, {"readability", .871}, {"bte", .838}, {"boilerpipe-article-1-2", .837}, {"boilerpipe-article", .837}, {"unfluff", .763}, {"justext-bench", .536}, {"ensemble-majority", .902}, {"ensemble-best", .928}, {"ensemble-weighted", .953}, {"ensemble-ngram", .902}, {"web2text", .875}},
		because: becausePeers},
	{title: "WCXB development set, word F1", source: "Foley, WCXB 1.0, 2026", pkg: "wcxb-dev", scorer: "wcxb-word-f1", column: f1Macro,
		note: "Theirs are 1,497 pages; the package leaves out 139 that also stand in the test split.",
		systems: map[string]string{"boilerpipe-article": "BoilerPy3", "boilerpipe-article-1-2": "BoilerPy3", "unfluff": "Goose3, a relative",
			"readability": "named Readability only", "trafilatura": "Trafilatura for Python"},
		figures: []figure{{"trafilatura", .791}, {"justext", .707}, {"boilerpipe-article-1-2", .687}, {"boilerpipe-article", .687}, {"readability", .675}, {"unfluff", .652}},
		because: becauseWCXB},
	{title: "trafilatura's corpus, precision", source: barbaresi, note: barbaresiNote, pkg: "trafilatura-dev", scorer: "snippet", column: pMicro, systems: barbaresiSystems,
		figures: []figure{{"trafilatura", .906}, {"trafilatura-precision", .925}, {"trafilatura-fast", .907}, {"trafilatura-recall", .899}, {"justext-traf", .864}, {"readability", .898},
			{"unfluff", .936}, {"boilerpipe-article-1-2", .818}, {"boilerpipe-article", .818}, {"plain", .534}}, because: becauseSnippets},
	{title: "trafilatura's corpus, recall", source: barbaresi, note: barbaresiNote, pkg: "trafilatura-dev", scorer: "snippet", column: rMicro, systems: barbaresiSystems,
		figures: []figure{{"trafilatura", .943}, {"trafilatura-precision", .915}, {"trafilatura-fast", .930}, {"trafilatura-recall", .939}, {"justext-traf", .859}, {"readability", .764},
			{"unfluff", .714}, {"boilerpipe-article-1-2", .796}, {"boilerpipe-article", .796}, {"plain", .991}}, because: becauseSnippets},
	{title: "trafilatura's corpus, F", source: barbaresi, note: barbaresiNote, pkg: "trafilatura-dev", scorer: "snippet", column: f1Micro, systems: barbaresiSystems,
		figures: []figure{{"trafilatura", .924}, {"trafilatura-precision", .920}, {"trafilatura-fast", .918}, {"trafilatura-recall", .918}, {"justext-traf", .862}, {"readability", .826},
			{"unfluff", .810}, {"boilerpipe-article-1-2", .807}, {"boilerpipe-article", .807}, {"plain", .694}}, because: becauseSnippets},
}

// ranking is a published order of extractors. It is used where our pages are others
// than theirs, so that only the order can be compared.
type ranking struct {
	title, source, note, scorer string
	column                      column
	order                       []string // best first
	packages                    []string
	reading                     string // conclusion from the comparison, written by hand
}

var rankings = []ranking{
	{title: "Gottron 2008: mean of word-sequence F1 over thirteen sites",
		source: "Gottron, Content code blurring, TIR 2008, Table 2 (means computed here)",
		note:   "The packages are not public. News packages of ours are nearest to his. The threshold of his LQF is not published: lqf-50 stands for it.",
		scorer: "seq", column: f1Macro,
		order:    []string{"accb", "tccb", "dsc", "ccb", "crunch", "lqf-50", "plain"},
		packages: []string{"l3s-gn1", "cleanportaleval", "dragnet"},
		reading: "Alike: the whole page is last everywhere, and the three or four that look at the density of code are first, but for ACCB. " +
			"ACCB leads there and not here: it leaves link tags out, which helped on his pages of 2007 and lets the link lists of later pages pass (its precision is 2 to 7 points under CCB's on the three packages, at 1 to 7 points more recall)."},
	{title: "Arias 2009: density above ACCB in the common character sequence",
		source: "Arias, Deschacht, Moens, DIR 2009: means 84.00 and 78.16",
		note:   "The same packages as Gottron's, not public.",
		scorer: "lcsequence", column: f1Macro,
		order:    []string{"density", "accb", "plain"},
		packages: []string{"l3s-gn1", "cleanportaleval", "dragnet"},
		reading: "Not alike: density is behind ACCB on all three, by recall. It keeps one region around the longest string, and pages here have their text in several; " +
			"the specification's prototype of the method has the same figures (69 on CleanPortalEval), so it is the pages and not the program."},
	{title: "Alarte & Silva 2021: average F1 over seven sets",
		source: alarteSilva + ", Table 5",
		note:   "CleanEval, four news and encyclopedia sites of Sun et al. and two more.",
		scorer: "cetd-lcs", column: f1OfMeans,
		order:    []string{"cectd-ds", "cehtd-ds", "cetd-ds", "cectd-s", "alarte-silva", "lqf-50", "wlr", "cetr", "bte", "dsc", "ccb", "k-fe", "fe"},
		packages: []string{"cleaneval-final", "l3s-gn1", "dragnet", "cleanportaleval"},
		reading: "Alike on CleanEval, the one set in common. On pages of a single article each, where most of a page is boilerplate, the methods that choose one block (wlr, alarte-silva, dsc) lead, " +
			"and those that keep whole dense subtrees, navigation with them, fall behind: precision decides there, recall on CleanEval."},
}
