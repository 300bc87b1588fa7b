package local

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/warc/write"
)

var phaseEnds = regexp.MustCompile(`msg="phase ends".* phase=(scan|learn) seconds=([0-9.]+)`)

// BenchmarkPhases shows that the phases before extract take time in proportion to
// the number of sites, one page of each in turn in the input:
//
//	go test ./pipeline/local -run '^$' -bench Phases -benchtime 1x
//
// Crawls of hundreds of thousands of pages are made by examples/generate -sites;
// a run says in its log what each phase took.
func BenchmarkPhases(b *testing.B) {
	for _, n := range []int{50, 100, 200} {
		b.Run(fmt.Sprintf("sites=%d", n), func(b *testing.B) {
			in := benchSites(b, n, 60)
			took := map[string]float64{}
			for range b.N {
				var log bytes.Buffer
				opt := options(b.TempDir(), in, "r")
				x, err := choose.Extractors(opt.Extract.Extractors, "iwptd,temex")
				if err != nil {
					b.Fatal(err)
				}
				opt.Plan.Recipe.Extractors, _ = recipe.Methods(x, nil)
				opt.Plan.Recipe.Scorers, opt.Plan.Recipe.Texts = nil, ""
				opt.Plan.Recipe.Learn = template.Settings(x)
				opt.Plan.ItemBytes = 1 << 20
				opt.Log = slog.New(slog.NewTextHandler(&log, nil))
				if _, err := Run(b.Context(), opt); err != nil {
					b.Fatal(err)
				}
				for _, m := range phaseEnds.FindAllStringSubmatch(log.String(), -1) {
					s, err := strconv.ParseFloat(m[2], 64)
					if err != nil {
						b.Fatal(err)
					}
					took[m[1]] += s
				}
			}
			for phase, s := range took {
				b.ReportMetric(s/float64(b.N)/float64(n)*1e3, phase+"-ms/site")
			}
		})
	}
}

// benchSites writes 4 files with the given number of sites and of pages for each site.
func benchSites(b *testing.B, sites, pages int) string {
	b.Helper()
	dir := b.TempDir()
	var writers []*write.Writer
	for i := range 4 {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%d.warc.gz", i)))
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		writers = append(writers, write.NewWriter(f))
	}
	for n := range pages {
		for s := range sites {
			host := fmt.Sprintf("s%d.example", s)
			url := fmt.Sprintf("http://%s/%d.html", host, n)
			block, err := write.HTTPResponse("200 OK", []write.Field{{Name: "Content-Type", Value: "text/html"}}, []byte(sitePage(host, n)))
			if err == nil {
				err = writers[(n+s)%4].Write(&write.Record{Type: "response", ID: write.ID(url), Date: time.Unix(int64(n), 0), TargetURI: url,
					ContentType: "application/http; msgtype=response", Block: block})
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	return dir
}
