package cmd

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/service"
)

// private serves the archives of a folder to clients that have the password and a
// signature. inputs are the URLs of the archives. local returns rows with the names
// that the files have on the disk.
func private(t *testing.T, dir string) (inputs []string, local func(rows string) string) {
	t.Helper()
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, pw, _ := r.BasicAuth(); user != "reader" || pw != "SESAME" || r.URL.Query().Get("X-Amz-Signature") != "SESAME" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	archives, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range archives {
		inputs = append(inputs, "http://reader:SESAME@"+strings.TrimPrefix(server.URL, "http://")+"/"+filepath.Base(a)+"?X-Amz-Signature=SESAME")
	}
	return inputs, func(rows string) string { return strings.ReplaceAll(rows, server.URL+"/", "file://"+dir+"/") }
}

// untold looks for a secret in everything that a run has written.
func untold(t *testing.T, dir string, words ...string) {
	t.Helper()
	for _, w := range words {
		if strings.Contains(w, "SESAME") {
			t.Errorf("a secret is shown:\n%s", tail(w))
		}
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(data), "SESAME") {
			t.Errorf("a secret is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Workers read inputs that need a password and a signature, although neither was given
// to them, with the rights of deploy/nats/roles.conf, in every phase of a run. Neither
// secret appears in any output or log.
func TestPrivateInputs(t *testing.T) {
	learning := setupLearning(t)
	_, url, seeds := secured(t)
	inputs, local := private(t, learning.in)
	out := t.TempDir()
	program := func(name string, args ...string) *process {
		return start(t, name, append([]string{"--nats", url, "--nats-nkey", seeds[name], "--run", "r"}, args...)...)
	}
	workers := []*process{program("worker", "--exit-when-done", "--slots", "1"), program("worker", "--exit-when-done", "--slots", "1")}
	aggregate := program("aggregate", "--exit-when-done", "--quiet", "1s")
	ingest := program("ingest", append(append([]string{"--out", out, "--lease", "2s"}, learning.recipe...), inputs...)...)
	ingest.ends(service.ExitOK)
	aggregate.ends(service.ExitOK)
	for _, w := range workers {
		w.ends(service.ExitOK)
		untold(t, out, w.out.String())
	}
	untold(t, out, ingest.out.String(), aggregate.out.String())
	got, err := tables(out)
	if err != nil {
		t.Fatal(err)
	}
	if local(got) != learning.want {
		t.Error("the rows are not those of the same files in a folder")
	}
}

// A run in one process does not write its secrets anywhere.
func TestPrivateInputsOfOneProcess(t *testing.T) {
	t.Parallel()
	setup(t)
	inputs, local := private(t, built.in)
	out := t.TempDir()
	args := append([]string{"run", "--run", "r", "--out", out}, recipe...)
	run := start(t, "winnow", append(args, inputs...)...)
	run.ends(service.ExitOK)
	untold(t, out, run.out.String())
	got, err := tables(out)
	if err != nil {
		t.Fatal(err)
	}
	if local(got) != built.want {
		t.Error("the rows are not those of the same files in a folder")
	}
	start(t, "winnow", args...).ends(service.ExitOK) // a finished run needs no password
	wrong := start(t, "winnow", "run", "--out", t.TempDir(), strings.ReplaceAll(inputs[0], "reader:SESAME", "reader:SESAMEE"))
	wrong.ends(service.ExitError)
	untold(t, out, wrong.out.String())
}
