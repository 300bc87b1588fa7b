package main

import (
	"fmt"
	"strings"
)

// learned is a learned extractor in the setting of its publication: trained on pages of
// CleanEval. Such models are not part of the program. Figures are accuracy, precision,
// recall and F1 of web2text-blocks, pooled.
type learned struct {
	name, split string
	published   [4]float64
	ours        [4]float64 // recorded from the output of the command
	command     string
}

var learnedSettings = []learned{
	{"crf-cleaneval", "trained on the 57 sound development pages, measured on the 680 of the final set", [4]float64{.82, .87, .81, .84}, [4]float64{.842, .873, .854, .864},
		"go -C eval run ./train/crf --packages DIR --on cleaneval-dev --variance 0.01,0.1,1,10,100 --private --out FILE --measure cleaneval-final"},
	{"crf-cleaneval", "trained on the first 61 pages of the final set, measured on the others", [4]float64{.82, .88, .81, .84}, [4]float64{.820, .868, .818, .842},
		"go -C eval run ./train/crf --packages DIR --on cleaneval-final --first 61 --variance 0.01,0.1,1,10,100 --private --out FILE"},
	{"web2text-cleaneval", "trained on the first 61 pages of the final set, measured on the others", [4]float64{.86, .87, .90, .88}, [4]float64{.841, .853, .880, .867},
		"go -C eval run ./train/web2text --packages DIR --on cleaneval-final --first 61 --private --out FILE"},
}

func writeLearned(b *strings.Builder) {
	b.WriteString("\n## Learned extractors, trained on CleanEval\n\n" + alarteSilva + ", Table 6, and the split of Web2Text's authors: scorer `web2text-blocks`, pooled. " +
		"CleanEval states no licence, so these models are not part of the program, whose own are trained on the development pages of WCXB: " +
		"the figures are recorded from the commands below, each of which makes a model and measures it. " +
		"The variance of crf's weights is chosen among five by the likelihood of held-out folds of the training pages. " +
		"Which pages of CleanEval the authors of the table used is not known.\n\n" +
		"| extractor | pages | | accuracy | precision | recall | F1 |\n|---|---|---|--:|--:|--:|--:|\n")
	for _, l := range learnedSettings {
		fmt.Fprintf(b, "| `%s` | %s | published |%s\n| | | ours |%s\n", l.name, l.split, cells(l.published), cells(l.ours))
	}
	b.WriteString("\n")
	for _, l := range learnedSettings {
		fmt.Fprintf(b, "    %s\n", l.command)
	}
}

func cells(values [4]float64) (s string) {
	for _, v := range values {
		s += fmt.Sprintf(" %.1f |", 100*v)
	}
	return s
}
