package tokens

import (
	"bytes"
	"slices"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

func cut(t Tokeniser, text string) []string {
	var out []string
	for _, s := range t(nil, []byte(text)) {
		out = append(out, text[s.Start:s.End])
	}
	return out
}

func TestTokenisers(t *testing.T) {
	f := func(name string, tok Tokeniser, text string, want ...string) {
		t.Helper()
		if got := cut(tok, text); !slices.Equal(got, want) {
			t.Errorf("%s of %q: got %q, want %q", name, text, got, want)
		}
		if got := CountPython([]byte(text)); got != len(cut(Python, text)) {
			t.Errorf("CountPython of %q: %d, Python cuts %q", text, got, cut(Python, text))
		}
	}
	f("Words", Words, "")
	f("Words", Words, " ... ")
	f("Words", Words, "The cat's 2nd snake_case.", "The", "cat", "s", "2nd", "snake_case")
	f("Words", Words, "हिन्दी भाषा", "हिन्दी", "भाषा")
	f("Words", Words, "東京 tower", "東", "京", "tower")
	f("Words", Words, "東京tower2京", "東", "京", "tower2", "京")
	f("Words", Words, "กินข้าว", "กิ", "น", "ข้", "า", "ว")
	f("Words", Words, "e\u0301te\u0301 Ὀδυσσεύς", "e\u0301te\u0301", "Ὀδυσσεύς")
	f("Words", Words, "\u0301a x", "\u0301a", "x")
	f("Words", Words, "東\u0301a", "東\u0301", "a")
	f("Words", Words, "𠀀𠀁b", "𠀀", "𠀁", "b")
	f("Words", Words, "한국어 Москва", "한국어", "Москва")
	f("Python", Python, "हिन्दी", "ह", "न", "द")
	f("Python", Python, "東京 tower _x ½", "東京", "tower", "_x", "½")
	f("Fields", Fields, "\x1c a,b\u00a0c\u2003\u3000d\u200be\u0085", "a,b", "c", "d\u200be")
}

// Step L must be that of x/text (and Python) on every code point.
func TestLowerOfEveryRune(t *testing.T) {
	lower := cases.Lower(language.Und)
	var n Normaliser
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		for _, text := range []string{string(r), "AB z " + string(r) + " Cd"} {
			if got, want := n.Lower([]byte(text)), lower.Bytes([]byte(text)); !bytes.Equal(got, want) {
				t.Errorf("%U: lower case of %q is %q, want %q", r, text, got, want)
			}
		}
	}
}

// Normal looks at a text only from the first unquiet character on: every rune
// that is not unquiet must be normal, alone and between any two neighbours.
func TestQuietRunes(t *testing.T) {
	quiet := 0
	for r := rune(0); r < 1<<16; r++ {
		if !utf8.ValidRune(r) || basic[r]&unquiet != 0 {
			continue
		}
		quiet++
		s := []byte(string(r))
		p := norm.NFC.Properties(s)
		if !norm.NFC.IsNormal(s) || p.CCC() != 0 || !p.BoundaryBefore() {
			t.Errorf("%U is not quiet", r)
		}
	}
	if quiet < 55000 {
		t.Errorf("only %d quiet runes: normalising will be slow", quiet)
	}
}

// The classes must be those of package unicode on every code point.
func TestClasses(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		c := classOf(r)
		py := unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_'
		if got := c&python != 0; got != py {
			t.Fatalf("%U: in \\w %v, want %v", r, got, py)
		}
		if got, want := c&word != 0, py || unicode.IsMark(r); got != want {
			t.Fatalf("%U: in a word %v, want %v", r, got, want)
		}
		if got, want := c&lone != 0, py && unicode.In(r, alone...); got != want {
			t.Fatalf("%U: alone %v, want %v", r, got, want)
		}
		if got, want := c&space != 0, unicode.Is(unicode.White_Space, r) || r >= 0x1C && r <= 0x1F; got != want {
			t.Fatalf("%U: white space %v, want %v", r, got, want)
		}
	}
}

func TestNormal(t *testing.T) {
	f := func(src, want string) {
		t.Helper()
		var n Normaliser
		for range 2 { // the second time over the memory of the first
			if got := string(n.Normal([]byte(src))); got != want {
				t.Errorf("Normal(%q) = %q, want %q", src, got, want)
			}
		}
	}
	f("", "")
	f("plain", "plain")
	f("Cafe\u0301", "Café")
	f("so\u00adft\u200b \u2060\ufeffhy\u200dphen", "soft hyphen")
	f("e\u0301\u00adx", "éx")
	f("a\xffb\xe2\x82", "a\uFFFDb\uFFFD")
	f("\xf0\x9f\x92", "\uFFFD") // one maximal subpart, one replacement
	f("Ω K", "Ω K")
}

func TestLower(t *testing.T) {
	f := func(src, want string) {
		t.Helper()
		var n Normaliser
		for range 2 {
			if got := string(n.Lower([]byte(src))); got != want {
				t.Errorf("Lower(%q) = %q, want %q", src, got, want)
			}
		}
	}
	f("", "")
	f("abc", "abc")
	f("The CAT 2", "the cat 2")
	f("ΟΔΥΣΣΕΥΣ ΣΑΣ Σ", "οδυσσευς σας σ") // final sigma
	f("İstanbul", "i\u0307stanbul")
	f("ALPHA İİİ ΣΑΣ", "alpha i\u0307i\u0307i\u0307 σας")
	f("ΑΣ'Α Α.Σ ΑΣ1 1Σ ΑΣ\u0301 Β", "ασ'α α.ς ας1 1σ ας\u0301 β") // as Python's
	f("ÀÉÎ ß ẞ", "àéî ß ß")
}

func TestAlphabet(t *testing.T) {
	var a Alphabet
	f := func(text string, blanks Blanks, want ...int32) {
		t.Helper()
		if got := a.Add(nil, []byte(text), blanks); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
	f("  a b\n\n a ", Fold, 0, 1, 2, 1, 0)
	f("é東𠀀 é", Drop, 3, 4, 5, 3)
	if got, want := a.Find(nil, []byte("x é\tb"), Fold), []int32{-1, 1, 3, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("Find: got %v, want %v", got, want)
	}
	a.Reset()
	f("b\u3000東", Fold, 0, 1, 2)
	f(" \u00a0 ", Fold)
}

func TestDict(t *testing.T) {
	var d Dict
	for round := range 2 {
		for i := range 5000 {
			w := []byte{byte(i), byte(i >> 8), 'x'}[:2+i%2]
			if id := d.ID(w); id != int32(i) {
				t.Fatalf("round %d: word %d has number %d", round, i, id)
			}
		}
		for i := range 5000 {
			w := []byte{byte(i), byte(i >> 8), 'x'}[:2+i%2]
			if id := d.ID(w); id != int32(i) || !bytes.Equal(d.Word(id), w) {
				t.Fatalf("round %d: word %d has number %d and is %q", round, i, id, d.Word(id))
			}
		}
		d.Reset()
		if d.Len() != 0 {
			t.Fatal("words left after Reset")
		}
	}
	if d.ID(nil) != 0 || d.ID([]byte{}) != 0 || d.Len() != 1 {
		t.Error("the empty word is not one word")
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	text := bytes.Repeat([]byte("Grain and chaff, 東京 and Ὀδυσσεύς. "), 50)
	var n Normaliser
	var d Dict
	var a Alphabet
	var spans []Span
	var ids []int32
	run := func() {
		d.Reset()
		a.Reset()
		normal := n.Normal(text)
		spans = Words(spans[:0], normal)
		ids = d.AppendIDs(ids[:0], normal, spans)
		ids = a.Add(ids[:0], normal, Fold)
		ids = a.Find(ids[:0], normal, Drop)
	}
	run()
	if n := testing.AllocsPerRun(10, run); n != 0 {
		t.Errorf("%v allocations a text, want none", n)
	}
}

// FuzzText holds every step to a literal transcription of its definition.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "Alpha beta.", "e\u0301 \u200b\u00ad", "ΑΣ'Α ΣΑΣ", "İı", "東京x\u0301", "\xff\xc2", "กินข้าว", "a\u00a0\x1cb"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var n Normaliser
		normal := bytes.Clone(n.Normal(src))
		if !utf8.Valid(normal) {
			t.Fatalf("not valid: %q", normal)
		}
		if utf8.Valid(src) {
			want := bytes.Map(func(r rune) rune {
				switch r {
				case 0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF:
					return -1
				}
				return r
			}, norm.NFC.Bytes(src))
			if !bytes.Equal(normal, want) {
				t.Fatalf("Normal(%q) = %q, want %q", src, normal, want)
			}
		}
		if utf8.Valid(src) {
			text, at := new(Normaliser).NormalAt(src)
			if !bytes.Equal(text, normal) {
				t.Fatalf("NormalAt(%q) = %q, want %q", src, text, normal)
			}
			if at != nil && (len(at) != len(text)+1 || int(at[len(text)]) != len(src) || !slices.IsSorted(at)) {
				t.Fatalf("NormalAt(%q): places %v", src, at)
			}
		}
		// x/text has another reading of sigma beside characters that are both
		// cased and ignored, and does not see what precedes İ.
		if !bytes.ContainsAny(normal, "Σİ") {
			if got, want := n.Lower(normal), cases.Lower(language.Und).Bytes(normal); !bytes.Equal(got, want) {
				t.Fatalf("Lower(%q) = %q, want %q", normal, got, want)
			}
		}
		in := func(set func(r rune) bool) func(r rune) bool {
			return func(r rune) bool { return !set(r) }
		}
		isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_' }
		if got, want := cut(Python, string(normal)), bytes.FieldsFunc(normal, in(isWord)); !same(got, want) {
			t.Fatalf("Python(%q) = %q, want %q", normal, got, want)
		}
		isText := func(r rune) bool { return !unicode.Is(unicode.White_Space, r) && (r < 0x1C || r > 0x1F) }
		if got, want := cut(Fields, string(normal)), bytes.FieldsFunc(normal, in(isText)); !same(got, want) {
			t.Fatalf("Fields(%q) = %q, want %q", normal, got, want)
		}
		if got, want := cut(Words, string(normal)), literalWords(string(normal)); !slices.Equal(got, want) {
			t.Fatalf("Words(%q) = %q, want %q", normal, got, want)
		}
	})
}

func same(a []string, b [][]byte) bool {
	return slices.EqualFunc(a, b, func(x string, y []byte) bool { return x == string(y) })
}

// literalWords cuts runs first and then takes the lone characters out of them.
func literalWords(text string) []string {
	var out []string
	for _, run := range bytes.FieldsFunc([]byte(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '_'
	}) {
		open, lone := "", false
		for _, r := range string(run) {
			base := unicode.In(r, alone...) && !unicode.IsMark(r)
			if open != "" && (base || lone && !unicode.IsMark(r)) {
				out, open = append(out, open), ""
			}
			if open == "" {
				lone = base
			}
			open += string(r)
		}
		out = append(out, open)
	}
	return out
}

// go test -run - -bench . ./algorithms/internal/tokens
func BenchmarkTokens(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"english", "The quick brown fox jumps over the lazy dog, 42 times a day. "},
		{"german", "Für größere Übungen müssen Bäume gefällt werden, sagte er. "},
		{"russian", "Съешь же ещё этих мягких французских булок, да выпей чаю. "},
		{"chinese", "敏捷的棕色狐狸跳过了懒狗。东京塔很高，今天天气不错。"},
	} {
		text := bytes.Repeat([]byte(c.text), 1+20000/len(c.text))
		var n Normaliser
		var d Dict
		var a Alphabet
		var spans []Span
		var ids []int32
		run := func(name string, f func()) {
			b.Run("step="+name+"/text="+c.name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		run("normal", func() { n.Normal(text) })
		run("lower", func() { n.Lower(text) })
		run("words", func() { spans = Words(spans[:0], text) })
		run("fields", func() { spans = Fields(spans[:0], text) })
		run("ids", func() { ids = d.AppendIDs(ids[:0], text, spans) })
		run("chars", func() { ids = a.Add(ids[:0], text, Fold) })
	}
}

// The tables are made when a program starts.
func BenchmarkTables(b *testing.B) {
	for b.Loop() {
		classes()
	}
}

// TestAppendFolded compares folding with the fields of a text, one blank between them,
// for all short texts of characters that may be mistaken for each other.
func TestAppendFolded(t *testing.T) {
	signs := []string{" ", "\n", "a", "é", "\u00a0", "\u2003", "\x1c", "\xc2"}
	var walk func(text string, left int)
	walk = func(text string, left int) {
		var want []byte
		for i, s := range Fields(nil, []byte(text)) {
			if i > 0 {
				want = append(want, ' ')
			}
			want = append(want, text[s.Start:s.End]...)
		}
		if got := AppendFolded([]byte("before "), []byte(text)); string(got) != "before "+string(want) {
			t.Fatalf("%q becomes %q, want %q", text, got, want)
		}
		if left > 0 {
			for _, s := range signs {
				walk(text+s, left-1)
			}
		}
	}
	walk("", 6)
}
