package local

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/extract/process"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/schemas"
)

// TestServerRefusesForAWhile reads archives from a server that answers 403 to a wave of
// requests in the middle of the run. The requests are repeated, and the rows are those of
// a run that met no wave.
func TestServerRefusesForAWhile(t *testing.T) {
	in := crawl(t, 60)
	var requests, refused atomic.Int64
	files := http.FileServer(http.Dir(in))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := requests.Add(1); n > 6 && n <= 12 {
			refused.Add(1)
			w.WriteHeader(http.StatusForbidden)
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	over, disk := options(t.TempDir(), "", "r"), options(t.TempDir(), "", "r")
	for _, name := range []string{"/a.example.warc.gz", "/b.example.warc.gz"} {
		over.Plan.Inputs = append(over.Plan.Inputs, server.URL+name)
		disk.Plan.Inputs = append(disk.Plan.Inputs, in+name)
	}
	mustRun(t, over)
	mustRun(t, disk)
	if refused.Load() != 6 {
		t.Errorf("%d requests were refused, want 6: the run had %d", refused.Load(), requests.Load())
	}
	if got := strings.ReplaceAll(tables(t, over.Plan.Out), server.URL+"/", "file://"+in+"/"); got != tables(t, disk.Plan.Out) {
		t.Error("the rows are not those of a run without refusals")
	}
}

// TestServerRefusesFromSomeTimeOn is the same with a wave that does not end: the run does,
// and it names what it gave up.
func TestServerRefusesFromSomeTimeOn(t *testing.T) {
	in := crawl(t, 60)
	var requests atomic.Int64
	files := http.FileServer(http.Dir(in))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) > 3 {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	opt := options(t.TempDir(), server.URL+"/a.example.warc.gz", "r")
	opt.Worker.GiveUpAfter = time.Millisecond
	sum, err := Run(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	_, m := finished(t, opt.Plan.Out)
	if sum.Dead == 0 || sum.Dead != len(m.Dead) || len(sum.Losses) != 1 || m.Dead[0].Reason == "" {
		t.Errorf("%d items are dead, the manifest has %d, losses %v", sum.Dead, len(m.Dead), sum.Losses)
	}
}

// TestProgramThatCrashes runs an extractor that is a program and ends at one page of each
// archive. The run ends complete, with a failure in each of these pages' rows and nothing else
// missing.
func TestProgramThatCrashes(t *testing.T) {
	script := filepath.Join(t.TempDir(), "grain.sh")
	err := os.WriteFile(script, []byte(`
echo '{"protocol":1,"name":"grain"}'
n=0
while read -r line; do
	n=$((n+1))
	case $line in *"page 3 on"*) exit 7;; esac
	echo "{\"id\":$n,\"text\":\"grain\"}"
done
`), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	library, err := process.Parse("library=sh " + script)
	if err != nil {
		t.Fatal(err)
	}

	in, out := crawl(t, 9), filepath.Join(t.TempDir(), "out")
	opt := options(out, in, "r")
	opt.Extract.Extractors = append(opt.Extract.Extractors, library)
	methods, _ := recipe.Methods([]*algorithms.Extractor{library}, nil)
	opt.Plan.Recipe.Extractors = append(opt.Plan.Recipe.Extractors, methods...)
	sum := run(t, opt)
	outcomes := map[string]int{}
	eachDocument(t, out, func(r *schemas.Document) { outcomes[r.Extractor+" "+r.Outcome+" "+r.Reason]++ })
	if sum.Pages != 18 || sum.Refused != 0 || outcomes["library ok "] != 16 || outcomes["library failed crash"] != 2 || outcomes["plain ok "] != 18 {
		t.Errorf("%d pages, %d refused, %v", sum.Pages, sum.Refused, outcomes)
	}
}
