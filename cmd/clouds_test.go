package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/winnow/winnow/pipeline/blob"
)

// The emulator of Azure storage has one fixed account. Its key is published and no
// secret.
const (
	azureAccount = "devstoreaccount1"
	azureKey     = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)

// bucketServers start a server with the buckets "crawls" and "tables" for each
// protocol, and set the variables that a user has to set; TestMain sets those of S3, so
// that tests with it run side by side. `make clouds` installs those servers that are
// separate programs.
var bucketServers = map[string]func(t *testing.T) (settings string){
	"s3": func(t *testing.T) string {
		backend := s3mem.New()
		for _, b := range []string{"crawls", "tables"} {
			if err := backend.CreateBucket(b); err != nil {
				t.Fatal(err)
			}
		}
		server := httptest.NewServer(gofakes3.New(backend).Server())
		t.Cleanup(server.Close)
		return "?" + url.Values{"endpoint": {server.URL}, "use_path_style": {"true"}}.Encode()
	},
	"gs": func(t *testing.T) string {
		host, port := "127.0.0.1", freePort(t)
		addr := host + ":" + port
		serve(t, addr, "fake-gcs-server", "-scheme", "http", "-host", host, "-port", port, "-public-host", addr, "-backend", "memory", "-log-level", "error")
		for _, b := range []string{"crawls", "tables"} {
			resp, err := http.Post("http://"+addr+"/storage/v1/b?project=p", "application/json", strings.NewReader(fmt.Sprintf(`{"name":%q}`, b)))
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
		}
		t.Setenv("STORAGE_EMULATOR_HOST", addr)
		return ""
	},
	"azblob": func(t *testing.T) string {
		host, port := "127.0.0.1", freePort(t)
		addr := host + ":" + port
		serve(t, addr, "azurite-blob", "--blobHost", host, "--blobPort", port, "--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry", "--silent")
		client, err := azblob.NewClientFromConnectionString(
			fmt.Sprintf("DefaultEndpointsProtocol=http;AccountName=%s;AccountKey=%s;BlobEndpoint=http://%s/%s", azureAccount, azureKey, addr, azureAccount), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range []string{"crawls", "tables"} {
			if _, err := client.CreateContainer(t.Context(), b, nil); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("AZURE_STORAGE_ACCOUNT", azureAccount)
		t.Setenv("AZURE_STORAGE_KEY", azureKey)
		return "?" + url.Values{"domain": {addr}, "protocol": {"http"}}.Encode()
	},
}

// serve starts a server that runs until the test ends.
func serve(t *testing.T, addr, name string, args ...string) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("no %s here: `make clouds` installs it", name)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = t.TempDir()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			c.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not listen: %v", name, err)
		}
	}
}

// A run from one bucket to another has the same rows as a run between folders, even if
// workers and the aggregator are killed while it goes on. The verbs that read tables
// can read them in the bucket.
func TestCloudsRunBetweenBuckets(t *testing.T) {
	long(t)
	setup(t)
	for scheme, start := range bucketServers {
		t.Run(scheme, func(t *testing.T) {
			settings := start(t)
			at := func(bucket, key string) string { return scheme + "://" + bucket + "/" + key + settings }
			client := blob.New(blob.Options{})
			t.Cleanup(func() { client.Close() })
			crawls, err := client.Store(t.Context(), at("crawls", "2024/05"))
			if err != nil {
				t.Fatal(err)
			}
			files, err := filepath.Glob(filepath.Join(built.in, "*.warc.gz"))
			if err != nil || len(files) == 0 {
				t.Fatal(files, err)
			}
			for _, f := range files {
				data, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := blob.WriteAll(t.Context(), crawls, filepath.Base(f), data); err != nil {
					t.Fatal(err)
				}
			}

			between := &task{in: at("crawls", "2024/"), recipe: recipe, want: fileNames(built.want), view: fileNames}
			c := newClusterTo(t, between, at("tables", "may"), 2)
			c.reach(10)
			c.workers[0].kill()
			c.workers[0].start()
			c.aggregate.kill()
			c.aggregate.start()
			c.reach(30)
			c.workers[1].kill()
			c.workers = c.workers[:1]
			c.finish()

			packages := winnow(t, 0, "report", "--table", "packages", "--format", "csv", c.out)
			if !strings.Contains(packages, ",pack in a.example,") {
				t.Errorf("results: %.500s", packages)
			}
			// As overlays/nightly finds earlier runs: by the bucket of their folders.
			next := winnow(t, 0, "plan", "--only-new", at("tables", ""), between.in)
			if !strings.Contains(next, fmt.Sprintf("\nleft out: %d files that earlier runs have done: ", len(files))) || !strings.Contains(next, "in 0 files") {
				t.Errorf("what is left to do after the run: %s", next)
			}
			// The same archives under other names have no page that the run has not extracted.
			again, err := client.Store(t.Context(), at("crawls", "again"))
			if err != nil {
				t.Fatal(err)
			}
			if err := blob.Transfer(t.Context(), crawls, again, filepath.Base(files[0])); err != nil {
				t.Fatal(err)
			}
			sum := winnow(t, 0, "run", "--only-new", at("tables", ""), "--out", at("tables", "night"), "--scorers", "none", at("crawls", "again"))
			if !strings.Contains(sum, " records: 0 pages, ") || !strings.Contains(sum, " unchanged pages, ") {
				t.Errorf("the night after: %s", sum)
			}
		})
	}
}

// The one-machine command is killed and started again.
func TestCloudsKilledRunGoesOn(t *testing.T) {
	long(t)
	setup(t)
	for scheme, start := range bucketServers {
		t.Run(scheme, func(t *testing.T) {
			settings := start(t)
			out := scheme + "://tables/local" + settings
			args := append([]string{"run", "--run", "r", "--out", out, "--workers", "1"}, recipe...)
			args = append(args, built.in)
			client := blob.New(blob.Options{})
			t.Cleanup(func() { client.Close() })
			store, err := client.Store(t.Context(), out)
			if err != nil {
				t.Fatal(err)
			}
			first := exec.Command(filepath.Join(built.bin, "winnow"), args...)
			var words bytes.Buffer
			first.Stderr = &words
			if err := first.Start(); err != nil {
				t.Fatal(err)
			}
			for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
				if shards, err := store.List(t.Context(), "shards/"); err == nil && len(shards) >= 8 {
					break
				}
				if time.Now().After(deadline) {
					t.Fatal("no shards appear")
				}
			}
			_ = first.Process.Kill()
			if err := first.Wait(); err == nil {
				t.Fatalf("it ended before it was killed:\n%s", words.String())
			}
			winnow(t, 0, args...)
			if got, err := tables(out); err != nil || got != built.want {
				t.Errorf("%d bytes of rows, %v; want %d, the same", len(got), err, len(built.want))
			}
		})
	}
}

// Gold packages are packed into a bucket as complete objects or not at all, and a run
// reads them there.
func TestCloudsPack(t *testing.T) {
	setup(t)
	for scheme, start := range bucketServers {
		t.Run(scheme, func(t *testing.T) {
			settings := start(t)
			pack := t.TempDir()
			for name, text := range map[string]string{
				"package.json": `{"name": "small", "documents": 1}`,
				"1.html":       "<html><body><p>Grain</p></body></html>",
				"1.txt":        "Grain\n",
				"1.json":       `{"url": "http://a.example/"}`,
			} {
				if err := os.WriteFile(filepath.Join(pack, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			object := scheme + "://crawls/gold/small.warc.gz" + settings
			winnow(t, 1, "pack", pack, filepath.Join(pack, "absent"), "-o", object)
			if out := winnow(t, 1, "plan", object); !strings.Contains(out, "no archives there") {
				t.Errorf("half a package was published:\n%s", out)
			}
			winnow(t, 0, "pack", pack, "-o", object)
			out := winnow(t, 0, "run", "--extractors", "plain", "--scorers", "str", "--out", scheme+"://tables/pack"+settings, object)
			if !strings.Contains(out, "1.000") || !strings.Contains(out, "1 page,") {
				t.Errorf("%s", out)
			}
		})
	}
}

var archiveURL = regexp.MustCompile(`(?:file|s3|gs|azblob)://[^\s"]*/([a-z]+\.example\.warc\.gz)(?:\?[^\s"]*)?`)

// fileNames returns the rows with the names of their input files instead of their URLs.
func fileNames(rows string) string { return archiveURL.ReplaceAllString(rows, "$1") }

// winnow runs the one-machine command and returns its output and messages.
func winnow(t *testing.T, code int, args ...string) string {
	t.Helper()
	out, err := exec.Command(filepath.Join(built.bin, "winnow"), args...).CombinedOutput()
	var exit *exec.ExitError
	got := 0
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if got != code {
		t.Fatalf("winnow %s: exit code %d, want %d:\n%s", strings.Join(args, " "), got, code, tail(string(out)))
	}
	return string(out)
}
