package cmd

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// outputFolder matches the output folder in the name of an archive that was made of an
// input.
var outputFolder = regexp.MustCompile(`file://\S*/inputs/`)

// A WACZ collection, an index and a folder of HTML files are divided into many items, by
// the three programs too. Workers that are killed in each phase change no row.
func TestKilledWorkersOfOtherFormats(t *testing.T) {
	long(t)
	t.Parallel()
	sites := setupLearning(t)
	for _, c := range []struct {
		name  string
		pages int // how many of the 1200 pages of the sites are read
		write func(name, dir string) error
		flags []string
	}{
		{"sites.wacz", 1200, collect, nil},
		{"indexed.wacz", 800, collectIndexed, nil},
		{"sites.cdxj", 800, index, []string{"--base", sites.in}},
		{"sites", 1200, files, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			view := func(tables string) string { return outputFolder.ReplaceAllString(tables, "inputs/") }
			of := task{view: view, in: filepath.Join(dir, c.name), recipe: slices.Concat(sites.recipe, c.flags)}
			if err := c.write(of.in, sites.in); err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(dir, "one-machine")
			args := append([]string{"run", "--run", "r", "--out", out}, of.recipe...)
			if text, err := exec.Command(filepath.Join(built.bin, "winnow"), append(args, of.in)...).CombinedOutput(); err != nil {
				t.Fatalf("winnow run: %v\n%s", err, text)
			}
			var err error
			if of.want, err = tables(out); err != nil {
				t.Fatal(err)
			}
			of.want = view(of.want)
			// Each of the two extractors has a row in the table of texts.
			if texts := strings.Count(of.want, `"extractor":`); texts != 2*c.pages {
				t.Fatalf("%d texts, want those of %d pages by 2 extractors:\n%s", texts, c.pages, tail(of.want))
			}
			many := newClusterFor(t, &of, 2)
			for _, phase := range []schemas.Phase{schemas.PhaseScan, schemas.PhaseLearn, schemas.PhaseExtract} {
				many.reachPhase(phase, 2)
				many.workers[0].kill()
				many.workers[0].start()
			}
			many.workers[1].kill() // the worker does not come back
			many.workers = many.workers[:1]
			many.finish()
		})
	}
}

// collect writes a WACZ collection of the archives in a folder.
func collect(name, dir string) error { return collectWith(name, dir, nil) }

// collectIndexed writes a WACZ collection of the archives in a folder, with the index of
// function index.
func collectIndexed(name, dir string) error {
	list := name + ".cdxj"
	if err := index(list, dir); err != nil {
		return err
	}
	data, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	return errors.Join(os.Remove(list), collectWith(name, dir, data))
}

// collectWith writes a WACZ collection of the archives in a folder, with an index if it is
// not nil.
func collectWith(name, dir string, index []byte) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	z := zip.NewWriter(f)
	archives, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil {
		return err
	}
	for _, a := range archives {
		data, err := os.ReadFile(a)
		if err != nil {
			return err
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: "archive/" + filepath.Base(a), Method: zip.Store})
		if err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	if index != nil {
		w, err := z.Create("indexes/index.cdxj")
		if err != nil {
			return err
		}
		if _, err := w.Write(index); err != nil {
			return err
		}
	}
	return z.Close()
}

// files writes the pages of the archives in a folder as HTML files, each with its URL.
func files(name, dir string) error {
	archives, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil {
		return err
	}
	if err := os.Mkdir(name, 0o777); err != nil {
		return err
	}
	n := 0
	for _, a := range archives {
		err := eachResponse(a, func(rec *warc.Record) error {
			_, html, _ := bytes.Cut(rec.Block, []byte("\r\n\r\n"))
			n++
			page := filepath.Join(name, fmt.Sprintf("%04d", n))
			return errors.Join(os.WriteFile(page+".html", html, 0o666),
				os.WriteFile(page+".json", fmt.Appendf(nil, `{"url": %q, "charset_wrong": true, "encoding": "utf-8"}`, rec.TargetURI), 0o666))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachResponse calls do for every record of an archive.
func eachResponse(archive string, do func(*warc.Record) error) error {
	data, err := os.ReadFile(archive)
	if err != nil {
		return err
	}
	r, err := warc.Open(bytes.NewReader(data), 0, int64(len(data)), 0, warc.Options{})
	if err != nil {
		return err
	}
	for {
		var rec warc.Record
		if err := r.Next(&rec); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := do(&rec); err != nil {
			return err
		}
	}
}

// index writes an index that names two of three records of the archives in a folder, in
// the order of their URLs, which is not the order in which the files hold them.
func index(name, dir string) error {
	archives, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil {
		return err
	}
	var lines []string
	for _, a := range archives {
		n := -1
		err := eachResponse(a, func(rec *warc.Record) error {
			if n++; n%3 < 2 {
				lines = append(lines, fmt.Sprintf(`%s 19700101000000 {"url": %q, "mime": "text/html", "status": "200", "filename": %q, "offset": "%d", "length": "%d"}`+"\n",
					strings.TrimPrefix(rec.TargetURI, "http://"), rec.TargetURI, filepath.Base(a), rec.Offset, rec.Length))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	slices.Sort(lines)
	return os.WriteFile(name, []byte(strings.Join(lines, "")), 0o666)
}
