package blob_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/winnow/winnow/pipeline/blob"
)

// cloud is a server of one of the object stores' protocols, on loopback.
type cloud struct {
	scheme string
	// start serves the named buckets, empty, sets the variables that are needed,
	// and returns the settings of a URL that reach them, "?" included.
	start func(t *testing.T, buckets ...string) (settings string)
}

// clouds are all three. S3 is served within the process. The other two are
// programs of their own, which `make clouds` installs; without them their tests
// are skipped.
var clouds = []cloud{{"s3", startS3}, {"gs", startGoogle}, {"azblob", startAzure}}

// each runs a test against every cloud; at makes the URL of a bucket's key.
func each(t *testing.T, buckets []string, f func(t *testing.T, at func(bucket, key string) string)) {
	for _, c := range clouds {
		t.Run(c.scheme, func(t *testing.T) {
			settings := c.start(t, buckets...)
			f(t, func(bucket, key string) string { return c.scheme + "://" + bucket + "/" + key + settings })
		})
	}
}

func startS3(t *testing.T, buckets ...string) string {
	t.Helper()
	backend := s3mem.New()
	for _, b := range buckets {
		if err := backend.CreateBucket(b); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewUnstartedServer(gofakes3.New(backend).Server())
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // the messages of the fake server
	server.Start()
	t.Cleanup(server.Close)
	return s3Settings(t, server.URL)
}

// s3Settings sets the variables and makes the settings that reach an S3 server.
func s3Settings(t *testing.T, server string) string {
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	return "?" + url.Values{"region": {"eu-west-1"}, "endpoint": {server}, "use_path_style": {"true"}}.Encode()
}

func startGoogle(t *testing.T, buckets ...string) string {
	t.Helper()
	addr := startProgram(t, "fake-gcs-server", func(host, port string) []string {
		return []string{"-scheme", "http", "-host", host, "-port", port, "-public-host", host + ":" + port, "-backend", "memory", "-log-level", "error"}
	})
	for _, b := range buckets {
		resp, err := http.Post("http://"+addr+"/storage/v1/b?project=p", "application/json", strings.NewReader(fmt.Sprintf(`{"name":%q}`, b)))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Fatal(resp.Status)
		}
	}
	t.Setenv("STORAGE_EMULATOR_HOST", addr)
	return ""
}

// These are the published credentials of the emulator of Azure's storage.
const (
	azureAccount = "devstoreaccount1"
	azureKey     = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)

func startAzure(t *testing.T, buckets ...string) string {
	t.Helper()
	addr := startProgram(t, "azurite-blob", func(host, port string) []string {
		return []string{"--blobHost", host, "--blobPort", port, "--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry", "--silent"}
	})
	cred, err := azblob.NewSharedKeyCredential(azureAccount, azureKey)
	if err != nil {
		t.Fatal(err)
	}
	client, err := azblob.NewClientWithSharedKeyCredential("http://"+addr+"/"+azureAccount, cred, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range buckets {
		if _, err := client.CreateContainer(t.Context(), b, nil); err != nil {
			t.Fatal(err)
		}
	}
	return azureSettings(t, addr)
}

// azureSettings sets the variables and makes the settings that reach a server of
// Azure's protocol. Azure's driver reads the variables once in a process.
func azureSettings(t *testing.T, addr string) string {
	t.Setenv("AZURE_STORAGE_ACCOUNT", azureAccount)
	t.Setenv("AZURE_STORAGE_KEY", azureKey)
	return "?" + url.Values{"domain": {addr}, "protocol": {"http"}}.Encode()
}

// startProgram runs a server until the test ends and waits until it listens.
func startProgram(t *testing.T, name string, args func(host, port string) []string) (addr string) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("no %s here: `make clouds` installs it", name)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr = ln.Addr().String()
	ln.Close()
	host, port, _ := net.SplitHostPort(addr)
	cmd := exec.Command(path, args(host, port)...)
	var said bytes.Buffer // read only after the end
	cmd.Stdout, cmd.Stderr, cmd.Dir = &said, &said, t.TempDir()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
		if t.Failed() {
			t.Logf("%s: %.2000s", name, said.String())
		}
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			c.Close()
			return addr
		}
		select {
		case <-ended:
			t.Fatalf("%s ended", name)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not listen: %v", name, err)
		}
	}
}

// TestBucketThatIsNotThere checks that an error names the wrong name, in one line.
func TestBucketThatIsNotThere(t *testing.T) {
	each(t, []string{"crawl"}, func(t *testing.T, at func(bucket, key string) string) {
		c := newClient(t, impatient)
		f := func(what string, err error, class error, words string) {
			t.Helper()
			if !errors.Is(err, class) || err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v; want %v with %q in one line", what, err, class, words)
			}
		}
		_, err := c.Expand(t.Context(), []string{at("crwal", "in/")}, blob.ExpandOptions{})
		f("folder", err, blob.ErrDenied, "there is no bucket "+strings.TrimSuffix(strings.SplitAfter(at("crwal", ""), "crwal")[0], "/"))
		_, err = c.Expand(t.Context(), []string{at("crwal", "in/a.warc.gz")}, blob.ExpandOptions{})
		f("file", err, blob.ErrDenied, "there is no bucket")
		_, err = c.Store(t.Context(), at("crwal", "out"))
		f("output", err, blob.ErrDenied, "there is no bucket")
		_, err = c.Expand(t.Context(), []string{at("crawl", "in/a.warc.gz")}, blob.ExpandOptions{})
		f("missing file", err, blob.ErrNotFound, "no archives there")
		_, err = openStore(t, c, at("crawl", "out")).Open(t.Context(), "a")
		f("missing key", err, blob.ErrNotFound, "HTTP 404")
	})
}

// TestLargeWritersOfOneName lets two workers write the same large file, as if both had
// the same item. One of the two files must be complete under the name, and the writer
// that fails may try again.
func TestLargeWritersOfOneName(t *testing.T) {
	each(t, []string{"crawl"}, func(t *testing.T, at func(bucket, key string) string) {
		s := openStore(t, newClient(t, impatient), at("crawl", "out"))
		const size = 11 << 20 // three parts
		var wg sync.WaitGroup
		var won atomic.Int32
		for i := range 3 {
			wg.Go(func() {
				switch _, err := blob.WriteAll(context.Background(), s, "same", bytes.Repeat([]byte{byte(i)}, size)); {
				case err == nil:
					won.Add(1)
				case !errors.Is(err, blob.ErrTransient):
					t.Errorf("writer %d: %v", i, err)
				}
			})
		}
		wg.Wait()
		got, err := blob.ReadAll(t.Context(), s, "same", 1<<30)
		if err != nil || won.Load() == 0 || len(got) != size || len(bytes.TrimLeft(got, string(got[:1]))) != 0 {
			t.Errorf("%d writers won; %d bytes, %v; want %d of one writer", won.Load(), len(got), err, size)
		}
	})
}

// TestServiceThatRefuses checks that a refused request is not retried, and that the
// error quotes the service.
func TestServiceThatRefuses(t *testing.T) {
	answers := map[string]string{
		"s3":     `<?xml version="1.0"?><Error><Code>InvalidAccessKeyId</Code><Message>No such key id.</Message></Error>`,
		"gs":     `{"error":{"code":403,"message":"No such key id.","errors":[{"reason":"forbidden"}]}}`,
		"azblob": `<?xml version="1.0"?><Error><Code>AuthorizationFailure</Code><Message>No such key id.</Message></Error>`,
	}
	codes := map[string]string{"s3": "InvalidAccessKeyId: No such key id.", "gs": "forbidden: No such key id.", "azblob": "AuthorizationFailure"}
	for scheme, answer := range answers {
		t.Run(scheme, func(t *testing.T) {
			var asked atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if asked.Add(1); scheme == "azblob" {
					w.Header().Set("x-ms-error-code", codes[scheme])
				}
				w.WriteHeader(http.StatusForbidden)
				_, _ = io.WriteString(w, answer)
			}))
			defer server.Close()
			at := s3Settings(t, server.URL)
			switch host := strings.TrimPrefix(server.URL, "http://"); scheme {
			case "gs":
				at = ""
				t.Setenv("STORAGE_EMULATOR_HOST", host)
			case "azblob":
				at = azureSettings(t, host)
			}
			c := newClient(t, impatient)
			_, err := c.Store(t.Context(), scheme+"://crawl/out"+at)
			want := "no permission in " + scheme + "://crawl: " + codes[scheme]
			if !errors.Is(err, blob.ErrDenied) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v; want %q", err, want)
			}
			if n := asked.Load(); n != 1 {
				t.Errorf("asked %d times", n)
			}
		})
	}
}

// TestMissingCredentials checks that no request is sent without credentials, and that
// the error says what to set.
func TestMissingCredentials(t *testing.T) {
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION",
		"STORAGE_EMULATOR_HOST", "AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_KEY"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", filepath.Join(t.TempDir(), "missing.json"))
	f := func(url, words string) {
		t.Helper()
		_, err := newClient(t, impatient).Store(t.Context(), url)
		if !errors.Is(err, blob.ErrDenied) || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want %q", url, err, words)
		}
	}
	f("s3://crawl/out?region=eu-west-1&endpoint=http://127.0.0.1:1", "set AWS_ACCESS_KEY_ID")
	f("s3://crawl/out", "set AWS_REGION")
	f("gs://crawl/out", "set GOOGLE_APPLICATION_CREDENTIALS")
}
