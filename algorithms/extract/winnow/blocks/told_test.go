package blocks

import (
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/page"
)

// toldOf returns the two features of what JSON-LD tells for the first block with words
// that begins with the given text.
func toldOf(t *testing.T, source, begin string) (text, description uint8) {
	t.Helper()
	var pg page.Page
	pg.Parse([]byte(source), page.Options{})
	var p Page
	p.Fill(&pg, "")
	all := pg.Body().All.Text
	for i := range p.Blocks {
		k := &p.Blocks[i]
		if strings.HasPrefix(string(all[k.Start:k.End]), begin) {
			return p.told.shares(p.hashes[k.firstHash:k.lastHash])
		}
	}
	t.Fatalf("no block begins with %q", begin)
	return 0, 0
}

func TestTold(t *testing.T) {
	const body = `<p>The ferry does not cross on Sundays, says the old keeper of the northern light.</p><p>Read also: other news of today</p><p>One</p>`
	const article = `{"@type":"NewsArticle","articleBody":"<p>The ferry doesn\u0020not&nbsp;cross on Sundays,\nsays the \"old\" keeper of the northern light.<\/p>"}`
	for _, c := range []struct {
		name, script, begin string
		text, description   uint8
	}{
		{"no script", ``, "The ferry", 0, 0},
		{"article", strings.Replace(article, "doesn", "does", 1), "The ferry", 200, 0},
		{"one word differs, and with it two of fourteen pairs", article, "The ferry", 171, 0},
		{"other block", article, "Read also", 1, 0},
		{"one word", article, "One", 0, 0},
		{"description", strings.Replace(strings.Replace(article, "doesn", "does", 1), "articleBody", "description", 1), "The ferry", 0, 200},
		{"both", `{"text":"the keeper and the ferry: all that is told of the northern light","description":"one two three four five of the northern light, ten, eleven"}`, "The ferry", 57, 42},
		{"short", `{"articleBody":"The ferry does not cross"}`, "The ferry", 0, 0},
		{"a key as value", `{"name":"articleBody","x":["The ferry does not cross on Sundays, says the old keeper of it"]}`, "The ferry", 0, 0},
		{"cut off", `{"articleBody":"The ferry does not cross on Sundays, says the old keeper`, "The ferry", 0, 0},
	} {
		source := `<html><body><script type="application/ld+json">` + c.script + `</script>` + body
		if text, description := toldOf(t, source, c.begin); text != c.text || description != c.description {
			t.Errorf("%s: text %d and description %d, want %d and %d", c.name, text, description, c.text, c.description)
		}
	}
}

// TestToldBounds reads texts that would take long or much memory without bounds.
func TestToldBounds(t *testing.T) {
	var x told
	for _, part := range []string{"<", "\\", "\\u12", "&", "\"", "word ", "<>", "\\\"\"text\":"} {
		x.reset()
		x.read([]byte(`"text":"` + strings.Repeat(part, 1<<20) + `"`))
		x.index()
		if len(x.pairs) > mostTold || len(x.slots) > 4*mostTold || cap(x.text) > 2*mostToldBytes {
			t.Errorf("%q repeated: %d pairs, %d slots, %d bytes", part, len(x.pairs), len(x.slots), cap(x.text))
		}
	}
}

func FuzzTold(f *testing.F) {
	f.Add([]byte(`{"articleBody":"one two three \\u0066our five <b>six</b> seven&amp;eight nine ten eleven"}`))
	f.Add([]byte(`"text" : "\\u`))
	f.Fuzz(func(t *testing.T, src []byte) {
		var x told
		x.read(src)
		x.index()
		if text, description := x.shares([]uint32{1, 2, 3}); text > 200 || description > 200 {
			t.Errorf("shares %d and %d of 200", text, description)
		}
		for _, h := range x.pairs {
			if *x.slot(h)&h != h {
				t.Errorf("pair %x is not in the table", h)
			}
		}
	})
}
