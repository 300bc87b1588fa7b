package compare

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// WriteText writes comparisons for people: the ranking of each package and
// measure, then the pairs if wanted.
func WriteText(w io.Writer, all []Comparison, pairs bool) error {
	for i, c := range all {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s, %s: %d pages of %d sites. Extractors that share a letter do not differ (Holm-corrected p >= %.2f).\n\n",
			c.Package, c.Scorer, c.Documents, c.Sites, significance)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "rank\textractor\tmean F1\t95 % interval\tpages\tgroup\t")
		for r, m := range c.Ranking {
			fmt.Fprintf(t, "%d\t%s\t%.4f\t%.4f to %.4f\t%d\t%s\t\n", r+1, m.Extractor, m.Mean, m.Low, m.High, m.Documents, m.Group)
		}
		if pairs {
			fmt.Fprintln(t)
			fmt.Fprintln(t, "a\tb\tmean a-b\t95 % interval\teffect\twins/ties/losses\tp bootstrap\tp Wilcoxon\tdiffer\t")
			for _, p := range c.Pairs {
				differ := "no"
				if p.Differ {
					differ = "yes"
				}
				fmt.Fprintf(t, "%s\t%s\t%+.4f\t%+.4f to %+.4f\t%+.2f\t%d/%d/%d\t%.4f\t%.4f\t%s\t\n",
					p.A, p.B, p.MeanDifference, p.Low, p.High, p.Effect, p.Wins, p.Ties, p.Losses, p.PBootstrap, p.PWilcoxon, differ)
			}
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}
