package punkt

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/internal/tokens"
)

// TestAgainstNLTK compares with recorded answers of NLTK itself: some texts
// written for the purpose, the others random rows of difficult words.
func TestAgainstNLTK(t *testing.T) {
	raw, err := os.ReadFile("testdata/nltk.json")
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		By    string
		Cases []struct {
			Text string
			Ends [][2]int32 // start and end of each sentence, in bytes
		}
	}
	if err := json.Unmarshal(raw, &recorded); err != nil {
		t.Fatal(err)
	}
	var s Splitter
	bad := 0
	for _, c := range recorded.Cases {
		var got [][2]int32
		for _, x := range s.Split(nil, []byte(c.Text)) {
			got = append(got, [2]int32{x.Start, x.End})
		}
		if !slices.Equal(got, c.Ends) {
			t.Errorf("%q:\n got  %q\n want %q", c.Text, pieces(c.Text, got), pieces(c.Text, c.Ends))
			if bad++; bad > 10 {
				t.Fatal("and more")
			}
		}
	}
	if len(recorded.Cases) < 700 {
		t.Errorf("only %d recorded texts", len(recorded.Cases))
	}
}

func pieces(text string, at [][2]int32) []string {
	var out []string
	for _, x := range at {
		out = append(out, text[x[0]:x[1]])
	}
	return out
}

func TestSplitDoesNotAllocate(t *testing.T) {
	var s Splitter
	text := []byte("Dr. Smith went to Washington, D.C. on Jan. 5. He said \"Go home.\" Then (he left.) What? No!")
	var dst []tokens.Span
	dst = s.Split(dst[:0], text)
	if n := testing.AllocsPerRun(10, func() { dst = s.Split(dst[:0], text) }); n != 0 {
		t.Errorf("%v allocations a text, want none", n)
	}
}

func FuzzSplit(f *testing.F) {
	for _, x := range []string{"", "One. Two.", "\"A.\" -- B. . . . c", "é. \u00a0x?)", ".\n.\n"} {
		f.Add([]byte(x))
	}
	var s Splitter
	f.Fuzz(func(t *testing.T, text []byte) {
		if !utf8.Valid(text) {
			t.Skip("Split is for valid UTF-8")
		}
		last := int32(0)
		for _, x := range s.Split(nil, text) {
			if x.Start < last || x.End < x.Start || int(x.End) > len(text) {
				t.Fatalf("sentence %v behind %d in %q", x, last, text)
			}
			for _, r := range string(text[last:x.Start]) {
				if !tokens.IsSpace(r) {
					t.Fatalf("%q is lost before sentence %v of %q", r, x, text)
				}
			}
			last = x.End
		}
		for _, r := range string(text[last:]) {
			if !tokens.IsSpace(r) {
				t.Fatalf("%q is lost behind the last sentence of %q", r, text)
			}
		}
	})
}

// go test -run - -bench . ./algorithms/score/internal/punkt
func BenchmarkSplit(b *testing.B) {
	var s Splitter
	var text []byte
	for len(text) < 20_000 {
		text = append(text, "The harvest was late this year, as it had rained. Mr. Miller of Acme Corp. said: \"We wait until Jan. 5.\" Then he left. "...)
	}
	var dst []tokens.Span
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		dst = s.Split(dst[:0], text)
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		new(Splitter).load()
	}
}
