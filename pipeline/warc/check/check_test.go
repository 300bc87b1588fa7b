package check

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/pipeline/warc/write"
)

func archive(t *testing.T) []byte {
	var b bytes.Buffer
	w := write.NewWriter(&b)
	for i := range 5 {
		err := w.Write(&write.Record{Type: "response", ID: write.ID(fmt.Sprint(i)), TargetURI: fmt.Sprintf("http://example.com/%d", i),
			ContentType: "application/http", Block: []byte(strings.Repeat("x", i))})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestRead(t *testing.T) {
	var uris []string
	account, err := Read(bytes.NewReader(archive(t)), func(r *Record) error {
		uris = append(uris, r.TargetURI)
		return nil
	})
	if err != nil || account.Records != 5 || account.ByType["response"] != 5 || account.Blocks != 10 || uris[4] != "http://example.com/4" {
		t.Errorf("%+v %v, %v", account, uris, err)
	}
}

func TestDamageIsAnError(t *testing.T) {
	data := archive(t)
	if _, err := Read(bytes.NewReader(data[:len(data)-20]), nil); err == nil {
		t.Error("an archive that is cut was read without an error")
	}
	data[len(data)/2] ^= 0x5a
	if _, err := Read(bytes.NewReader(data), nil); err == nil {
		t.Error("a damaged archive was read without an error")
	}
}

// The framer of package warc and this reader must find the same records, bytes and
// addresses in every undamaged crawl file of the collection.
func TestBothReadersAgree(t *testing.T) {
	files := []string{"../../../examples/crawl.warc.gz"}
	if root := os.Getenv("WINNOW_SHARED"); root != "" {
		crawls, err := filepath.Glob(filepath.Join(root, "warcs", "crawls", "*.warc.gz"))
		if err != nil || len(crawls) == 0 {
			t.Fatalf("no crawls in %s: %v", root, err)
		}
		files = append(files, crawls...)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) { agree(t, name) })
	}
}

func agree(t *testing.T, name string) {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	src := bytes.NewReader(data)
	own, err := warc.Open(src, 0, src.Size(), 0, warc.Options{MaxBlock: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Read(bytes.NewReader(data), func(r *Record) error {
		var rec warc.Record
		if err := own.Next(&rec); err != nil {
			return err
		}
		h := sha1.New()
		if _, err := io.Copy(h, r.Block); err != nil {
			return err
		}
		theirs := fmt.Sprintf("%s %s %s %x", r.Type, r.ID, r.TargetURI, h.Sum(nil))
		ours := fmt.Sprintf("%s %s %s %x", rec.Type, bare(rec.RecordID), rec.TargetURI, sha1.Sum(rec.Block))
		if ours != theirs {
			return fmt.Errorf("at %v: %s, and %s by the other reader", rec.Address, ours, theirs)
		}
		return nil
	})
	if sum := own.Summary(); err != nil && len(sum.Defects) > 0 {
		t.Skipf("the file is not sound (%v), and the other reader stops at that: %v", sum.Defects, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := own.Next(new(warc.Record)); err != io.EOF {
		t.Errorf("the framer goes on where the other reader ends: %v", err)
	}
}
