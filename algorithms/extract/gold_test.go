package extract_test

import (
	"archive/tar"
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"math/bits"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
	"golang.org/x/net/html/charset"
)

// document is a page of a gold test package.
type document struct {
	id   string
	html []byte // UTF-8
	gold string
	// comments are readers' comments that the annotators marked, not part of gold.
	comments string
}

// shared returns the folder of the public gold packages, or skips the test.
func shared(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("WINNOW_SHARED")
	if dir == "" {
		t.Skip("WINNOW_SHARED is not set: no gold packages")
	}
	return dir
}

// readPackage reads NAME.tar.xz: at most limit documents in archive order, 0
// for all.
func readPackage(t testing.TB, name string, limit int) []document {
	t.Helper()
	f, err := os.Open(filepath.Join(shared(t), "packages", name+".tar.xz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x, err := xz.NewReader(bufio.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]*document{}
	var order []string
	for r := tar.NewReader(x); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		base := path.Base(h.Name)
		ext := path.Ext(base)
		id := strings.TrimSuffix(base, ext)
		if ext != ".html" && ext != ".txt" && ext != ".json" || id == "package" || strings.HasSuffix(id, ".gold") {
			continue
		}
		if byID[id] == nil {
			if limit > 0 && len(order) == limit {
				break
			}
			byID[id] = &document{id: id}
			order = append(order, id)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		switch d := byID[id]; ext {
		case ".txt":
			d.gold = string(data)
		case ".html":
			d.html = decode(t, data)
		case ".json":
			var meta struct{ Comments string }
			if err := json.Unmarshal(data, &meta); err != nil {
				t.Fatal(err)
			}
			d.comments = meta.Comments
		}
	}
	docs := make([]document, len(order))
	for i, id := range order {
		docs[i] = *byID[id]
	}
	return docs
}

// decode turns a page into UTF-8 by its byte order mark, its meta elements or
// its bytes.
func decode(t testing.TB, data []byte) []byte {
	t.Helper()
	enc, _, _ := charset.DetermineEncoding(data, "text/html")
	out, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		t.Fatal(err)
	}
	return []byte(strings.ToValidUTF8(string(out), "\uFFFD"))
}

// wordLCS scores an extraction by the longest common subsequence of words.
type wordLCS struct {
	ids  map[string]int
	gold []int
	mask [][]uint64 // by word: its positions in the gold, as bits
}

func newWordLCS(gold string) *wordLCS {
	s := &wordLCS{ids: map[string]int{}}
	words := strings.Fields(gold)
	for _, w := range words {
		id, ok := s.ids[w]
		if !ok {
			id = len(s.ids)
			s.ids[w] = id
			s.mask = append(s.mask, make([]uint64, (len(words)+63)/64))
		}
		i := len(s.gold)
		s.mask[id][i/64] |= 1 << (i % 64)
		s.gold = append(s.gold, id)
	}
	return s
}

// score returns precision, recall and F1; all 0 for an empty extraction.
func (s *wordLCS) score(text string) (p, r, f float64) {
	words := strings.Fields(text)
	if len(words) == 0 || len(s.gold) == 0 {
		return 0, 0, 0
	}
	v := slices.Repeat([]uint64{^uint64(0)}, (len(s.gold)+63)/64)
	for _, w := range words {
		id, ok := s.ids[w]
		if !ok {
			continue
		}
		carry := uint64(0)
		for i, m := range s.mask[id] {
			u := v[i] & m
			sum, c := bits.Add64(v[i], u, carry)
			v[i], carry = sum|v[i]&^m, c
		}
	}
	common := 0
	for i := range s.gold {
		if v[i/64]>>(i%64)&1 == 0 {
			common++
		}
	}
	p, r = float64(common)/float64(len(words)), float64(common)/float64(len(s.gold))
	if common > 0 {
		f = 2 * p * r / (p + r)
	}
	return p, r, f
}

func TestWordLCS(t *testing.T) {
	p, r, f := newWordLCS("a b c d e f").score("x b a c c f")
	if p != 0.5 || r != 0.5 || f != 0.5 { // b c f
		t.Errorf("P %v R %v F1 %v, want 0.5 for all", p, r, f)
	}
	long := strings.Repeat("one two three ", 100)
	if p, r, f = newWordLCS(long).score(long); p != 1 || r != 1 || f != 1 {
		t.Errorf("of a text with itself: P %v R %v F1 %v", p, r, f)
	}
}
