package main

// recorded has the results of the programs' functions on the texts that answers makes.
// Rows of one package and answer follow each other.
var recorded = []compared{
	{"cleanportaleval", "edited", 0, "wcxb-word-f1", figures{p: 0.984792, r: 0.764429, f1: 0.856940}},
	{"cleanportaleval", "edited", 0, "shingle-4", figures{p: 0.940814, r: 0.723642, f1: 0.818060}},
	{"cleanportaleval", "edited", 0, "levenshtein", figures{value: 0.749544}},
	{"cleanportaleval", "edited", 0, "rouge-lsum", figures{p: 0.981521, r: 0.761867, f1: 0.854056}},
	{"cleanportaleval", "stripped", 0, "wcxb-word-f1", figures{p: 0.183495, r: 0.971629, f1: 0.299190}},
	{"cleanportaleval", "stripped", 0, "shingle-4", figures{p: 0.162847, r: 0.895541, f1: 0.275582}},
	{"cleanportaleval", "stripped", 0, "levenshtein", figures{value: 0.361937}},
	{"cleanportaleval", "stripped", 0, "rouge-lsum", figures{p: 0.234794, r: 0.961021, f1: 0.361669}},
	{"wcxb-dev", "edited", 200, "wcxb-word-f1", figures{p: 0.970627, r: 0.695491, f1: 0.804482}},
	{"wcxb-dev", "edited", 200, "shingle-4", figures{p: 0.885895, r: 0.635649, f1: 0.740193}},
	{"wcxb-dev", "edited", 200, "wcxb-with", figures{value: 0.693167}},
	{"wcxb-dev", "edited", 200, "wcxb-without", figures{value: 0.000000}},
	{"wcxb-dev", "edited", 200, "snippet", figures{p: 1.000000, r: 0.691737, f1: 0.817783, value: 0.829924}},
	{"wcxb-dev", "stripped", 200, "wcxb-word-f1", figures{p: 0.238794, r: 0.999526, f1: 0.343767}},
	{"wcxb-dev", "stripped", 200, "shingle-4", figures{p: 0.230026, r: 0.959699, f1: 0.371104}},
	{"wcxb-dev", "stripped", 200, "wcxb-with", figures{value: 0.651417}},
	{"wcxb-dev", "stripped", 200, "wcxb-without", figures{value: 0.961250}},
	{"wcxb-dev", "stripped", 200, "snippet", figures{p: 0.495907, r: 0.770127, f1: 0.603320, value: 0.441262}},
	{"cleaneval-dev", "edited", 0, "wcxb-word-f1", figures{p: 0.984871, r: 0.705344, f1: 0.815952}},
	{"cleaneval-dev", "edited", 0, "shingle-4", figures{p: 0.926781, r: 0.658839, f1: 0.770171}},
	{"cleaneval-dev", "edited", 0, "levenshtein", figures{value: 0.790721}},
	{"cleaneval-dev", "stripped", 0, "wcxb-word-f1", figures{p: 0.714720, r: 0.963803, f1: 0.799320}},
	{"cleaneval-dev", "stripped", 0, "shingle-4", figures{p: 0.673827, r: 0.920220, f1: 0.777981}},
	{"cleaneval-dev", "stripped", 0, "levenshtein", figures{value: 0.808242}},
	{"l3s-gn1", "edited", 100, "wcxb-word-f1", figures{p: 0.983412, r: 0.700982, f1: 0.815574}},
	{"l3s-gn1", "edited", 100, "shingle-4", figures{p: 0.921106, r: 0.654778, f1: 0.765437}},
	{"l3s-gn1", "edited", 100, "levenshtein", figures{value: 0.775202}},
	{"l3s-gn1", "edited", 100, "rouge-lsum", figures{p: 0.979257, r: 0.697269, f1: 0.811614}},
	{"l3s-gn1", "stripped", 100, "wcxb-word-f1", figures{p: 0.383169, r: 0.999888, f1: 0.522189}},
	{"l3s-gn1", "stripped", 100, "shingle-4", figures{p: 0.367757, r: 0.961490, f1: 0.532023}},
	{"l3s-gn1", "stripped", 100, "levenshtein", figures{value: 0.534076}},
	{"l3s-gn1", "stripped", 100, "rouge-lsum", figures{p: 0.395798, r: 0.986280, f1: 0.533857}},
	{"readability", "edited", 40, "wcxb-word-f1", figures{p: 0.952944, r: 0.757172, f1: 0.832532}},
	{"readability", "edited", 40, "shingle-4", figures{p: 0.891477, r: 0.707961, f1: 0.789191}},
	{"readability", "edited", 40, "levenshtein", figures{value: 0.774865}},
	{"readability", "edited", 40, "rouge-lsum", figures{p: 0.950481, r: 0.753193, f1: 0.829028}},
}

const scorersIntroduction = `
## Measures beside the programs that define them

Measures that reproduce a public program were compared with that program on the same texts: the gold of a page and an
answer that is made of the page by a rule, so that no extractor has a part in it. The answer "stripped" is the page's
source with every run from < to > replaced by a blank (scripts and all); "edited" is the gold without its 2nd, 5th,
8th … line and with its first two lines again at the end. The figures of the programs were computed once, under
Python 3.11, and are recorded in eval/reproduce; ours are computed anew. Agreement to three decimals is the promise: a
larger difference is marked.

How far the left column is the programs' own: the repositories were not run as a whole. The functions that score were
transcribed from the files named here into one script, which fed them the texts and took the means as those files do.
The libraries python-Levenshtein and NLTK are the real ones. python-Levenshtein 0.12 takes strings only, so each
different word was one character. The version of rouge_scorer.py that was at hand cuts sentences at newlines; as the
benchmark asks for split summaries, NLTK's Punkt cut them instead, with the model that github.com/neurosnap/sentences
took over from NLTK.

| measure | program |
|---|---|
| ` + "`wcxb-word-f1`, `wcxb-with`, `wcxb-without`" + ` | evaluate.py of Murrough-Foley/web-content-extraction-benchmark, commit 70e37e5 |
| ` + "`shingle-4`" + ` | evaluate.py of scrapinghub/article-extraction-benchmark, commit 11b407d |
| ` + "`snippet`" + ` | tests/eval_common.py of adbar/trafilatura, commit d5f6da0 |
| ` + "`levenshtein`" + ` | eval.py of chatnoir-eu/web-content-extraction-benchmark, commit 0ea58f6, with python-Levenshtein 0.12.2 |
| ` + "`rouge-lsum`" + ` | the same eval.py with rouge_scorer.py of google-research/google-research, commit 0c1bbe5, with sentences by NLTK 3.8 |

` + "`cleaneval-evert`" + ` is held to Python's difflib and Punkt to NLTK by recorded outputs in their tests.

`

const scorersMissing = `
What cannot be compared here, for want of data: the tables of the article extraction benchmark (181 pages) and of
trafilatura's evaluation (990 pages), whose pages are in no package; the figures of the 2023 benchmark and of WCXB for
systems that Winnow does not run, because the packages hold no outputs of theirs, only figures; and the figures of
whole page text, because what counts as a page's text is not stated exactly. Figures of systems that Winnow does run
stand above, by extractor: there a difference may come from the extractor, not from the measure.
CleanEval's official scorer and the programs of Gottron, Arias, Sun and Alarte were not at hand.
`
