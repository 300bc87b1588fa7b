package compare

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/stats"
)

// trainedOn returns the extractors that were trained on pages of the package.
func (c *Comparison) trainedOn() (names []string) {
	for _, m := range c.Ranking {
		if m.TrainedOn {
			names = append(names, m.Extractor)
		}
	}
	return names
}

// legend returns a sentence about what the letters of the groups mean.
func (c *Comparison) legend() string {
	if !slices.ContainsFunc(c.Ranking, func(m Method) bool { return m.Group != "" }) {
		return fmt.Sprintf("Fewer than %d pages are too few to tell which extractors differ, and the intervals are too narrow.", stats.MinPages)
	}
	return fmt.Sprintf("Extractors that share a letter do not differ (Holm-corrected p >= %.2f).", significance)
}

// skipped names the extractors that have no score for some of the pages on which another
// one has, and the number of these pages.
func (c *Comparison) skipped() (text []string) {
	for _, m := range c.Ranking {
		if n := c.scored - m.Documents; n > 0 {
			text = append(text, fmt.Sprintf("%s (%d)", m.Extractor, n))
		}
	}
	return text
}

func names(methods []Method) (names []string) {
	for _, m := range methods {
		names = append(names, m.Extractor)
	}
	return names
}

// WriteText writes comparisons for people: the ranking of each package and scorer,
// followed by the pairs if they are wanted.
func WriteText(w io.Writer, all []Comparison, pairs bool) error {
	for i, c := range all {
		if i > 0 {
			fmt.Fprintln(w)
		}
		group := ""
		if c.Grouping != "" {
			group = fmt.Sprintf(", %s %s", strings.ReplaceAll(c.Grouping, "_", " "), c.Group)
		}
		fmt.Fprintf(w, "%s%s, %s: %s of %s. %s\n\n",
			c.Package, group, c.Scorer, account.Count(c.Documents, "page"), account.Count(c.Sites, "site"), c.legend())
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		other := stats.OtherFigure(c.Mean)
		resampled := len(c.Ranking) > 0 && c.Ranking[0].Resampled != nil
		fmt.Fprint(t, "rank\textractor\t")
		if other {
			fmt.Fprint(t, c.Mean, "\t")
		}
		if resampled {
			fmt.Fprint(t, "±\t")
		}
		fmt.Fprintln(t, "mean\t95 % interval\tpages\tgroup\t")
		for r, m := range slices.Concat(c.Ranking, c.Bounds) {
			rank := strconv.Itoa(r + 1)
			if r >= len(c.Ranking) {
				rank = "bound"
			}
			fmt.Fprintf(t, "%s\t%s\t", rank, m.Extractor)
			if other && m.Headline != nil {
				fmt.Fprintf(t, "%.4f\t", *m.Headline)
			} else if other {
				fmt.Fprint(t, "-\t")
			}
			if m.Resampled != nil {
				fmt.Fprintf(t, "±%.4f\t", m.Resampled.SD)
			} else if resampled {
				fmt.Fprint(t, "-\t")
			}
			fmt.Fprintf(t, "%.4f\t%.4f to %.4f\t%d\t%s\t\n", m.Mean, m.Low, m.High, m.Documents, cmp.Or(m.Group, "-"))
		}
		if pairs {
			fmt.Fprintln(t)
			fmt.Fprint(t, "a\tb\t")
			if resampled {
				fmt.Fprint(t, c.Mean, " a-b\t±\t95 % interval\t")
			}
			fmt.Fprintln(t, "mean a-b\t95 % interval\teffect\twins/ties/losses\tp bootstrap\tp Wilcoxon\tdiffer\t")
			for _, p := range c.Pairs {
				differ := "no"
				switch {
				case p.Documents < stats.MinPages:
					differ = "too few"
				case p.Differ:
					differ = "yes"
				}
				fmt.Fprintf(t, "%s\t%s\t", p.A, p.B)
				if r := p.Resampled; r != nil {
					fmt.Fprintf(t, "%+.4f\t±%.4f\t%+.4f to %+.4f\t", r.Mean, r.SD, r.Low, r.High)
				} else if resampled {
					fmt.Fprint(t, "-\t-\t-\t")
				}
				fmt.Fprintf(t, "%+.4f\t%+.4f to %+.4f\t%+.2f\t%d/%d/%d\t%.4f\t%.4f\t%s\t\n",
					p.MeanDifference, p.Low, p.High, p.Effect, p.Wins, p.Ties, p.Losses, p.PBootstrap, p.PWilcoxon, differ)
			}
		}
		if err := t.Flush(); err != nil {
			return err
		}
		if seen := c.trainedOn(); len(seen) > 0 {
			fmt.Fprintf(w, "\nTrained on pages of this package, and so better here than on unseen pages: %s.\n", strings.Join(seen, ", "))
		}
		if len(c.Bounds) > 0 {
			fmt.Fprintf(w, "\nBounds read the gold, so they have no rank and are not compared: %s.\n", strings.Join(names(c.Bounds), ", "))
		}
		if skipped := c.skipped(); len(skipped) > 0 {
			fmt.Fprintf(w, "\nPages that an extractor skipped are left out of its mean and its pairs, and count as 0 in its rank: %s.\n", strings.Join(skipped, ", "))
		}
		if len(c.Unranked) > 0 {
			fmt.Fprintf(w, "\nSkipped on every page: %s.\n", strings.Join(c.Unranked, ", "))
		}
		if pairs := len(c.Pairs); c.Documents >= stats.MinPages && float64(2*pairs) >= significance*float64(c.Replicates+1) {
			fmt.Fprintf(w, "\nWith %d replicates no two of %d extractors can differ: ask for more than %d.\n",
				c.Replicates, len(c.Ranking), int(float64(2*pairs)/significance))
		}
	}
	return nil
}
