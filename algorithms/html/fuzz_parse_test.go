package html

import (
	"bytes"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"

	"github.com/winnow/winnow/algorithms/internal/testpages"
)

// addTreeCases adds the html5lib documents to the seeds of the fuzzer.
func addTreeCases(f *testing.F, add func(src []byte)) {
	for _, src := range testpages.Odd {
		add([]byte(src))
	}
	for _, d := range divergences {
		add([]byte(d.src))
	}
	if testing.Short() {
		return
	}
	files, err := filepath.Glob(filepath.Join(netTestdata(f), "html5lib-tests/tree-construction/*.dat"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		for _, c := range readTreeCases(f, file) {
			if c.context == "" && len(c.data) < 300 {
				add([]byte(c.data))
			}
		}
	}
}

// FuzzParseInvariants checks what must hold for every page, whatever its bytes and bounds:
// the columns have a valid structure, a used page gives the same result as a new one, and
// nodes get the same numbers if their children are kept as lists from the beginning as if
// they are created in order.
func FuzzParseInvariants(f *testing.F) {
	addTreeCases(f, func(src []byte) { f.Add(src, uint8(0)) })
	f.Add([]byte("<table><b>a<td>b</table><i><p></i>c"), uint8(9))
	var used Document
	f.Fuzz(func(t *testing.T, src []byte, bounds uint8) {
		opt := Bounds{}
		if bounds != 0 {
			opt = Bounds{MaxDepth: 2 + int(bounds%16), MaxNodes: 1 + int(bounds), MaxAttrs: 1 + int(bounds%8)}
		}
		used.Parse(src, opt)
		checkBuilt(t, &used)
		if used.Tree.Len() > used.bounds.MaxNodes {
			t.Fatalf("%d nodes, %d allowed", used.Tree.Len(), used.bounds.MaxNodes)
		}
		var fresh, linked Document
		fresh.Parse(src, opt)
		linked.reset(src, opt)
		linked.builder.begin(&linked)
		linked.builder.link()
		linked.builder.run()
		for _, p := range []*Document{&fresh, &linked} {
			if p.Cut != used.Cut || !testpages.EqualColumns(reflect.ValueOf(p.Tree), reflect.ValueOf(used.Tree)) ||
				!testpages.EqualColumns(reflect.ValueOf(p.Lex), reflect.ValueOf(used.Lex)) {
				t.Fatalf("not the same: cut %d, %s\nused: cut %d, %s", p.Cut, sketch(p), used.Cut, sketch(&used))
			}
		}
	})
}

// snippets are the parts of which FuzzParseTwin builds documents: every byte of its input
// selects one. They cover the standard except for what the twin parses differently
// (see divergences).
var snippets = []string{
	"a", " ", "\n", "b &amp; c", "&lt", "\x00", "x\r\ny", "&nbsp;",
	"<!--c-->", "<!-->", "<!x>", "<?y>", "</ z>", "<", "</", "&#", "&notit;",
	"<html>", "<html a=1>", "</html>", "<head>", "</head>", "<body>", "<body b=2>", "</body>",
	"<title>", "</title>", "<style>", "</style>", "<meta>", "<link/>", "<noscript>", "</noscript>", "<base>",
	"<p>", "</p>", "<div>", "</div>", "<ul>", "</ul>", "<li>", "</li>", "<dl>", "<dd>", "<dt>", "</dd>",
	"<h1>", "</h1>", "<h2>", "<address>", "</address>", "<center>", "</center>", "<hr>", "<br>", "</br>",
	"<img src=1>", "<image>", "<input>", "<input type=hidden>", "<wbr>", "<param>",
	"<a href=1>", "</a>", "<b>", "</b>", "<i>", "</i>", "<font c=1>", "<font c=2>", "</font>", "<nobr>", "</nobr>",
	"<button>", "</button>", "<object>", "</object>", "<marquee>", "</marquee>", "<form>", "</form>",
	"<span>", "</span>", "<x>", "</x>", "<X y='&amp;'>", "<ruby>", "</ruby>", "<rt>", "<rp>", "<rb>", "<rtc>",
	"<table>", "</table>", "<caption>", "</caption>", "<colgroup>", "</colgroup>", "<col>", "<tbody>", "</tbody>",
	"<tfoot>", "<thead>", "</thead>", "<tr>", "</tr>", "<td>", "</td>", "</th>",
	"<select>", "</select>", "<option>", "</option>", "<optgroup>", "</optgroup>",
	"<xmp>", "</xmp>", "<iframe>", "</iframe>", "<textarea>", "</textarea>", "<noembed>", "</noembed>",
	"<svg>", "</svg>", "<math>", "</math>", "<g>", "</g>", "<foreignObject>", "</foreignObject>", "<desc>", "</desc>",
	"<mi>", "</mi>", "<mglyph>", "<annotation-xml>", "<annotation-xml encoding='text/html'>", "</annotation-xml>",
	"<svg/>", "<path/>", "<circle viewbox=1 xlink:href=2>", "<g id=3/>",
}

// compose turns fuzzed bytes into a document of at most 64 snippets.
func compose(choice []byte) []byte {
	var src []byte
	for i, c := range choice {
		if i == 64 {
			break
		}
		src = append(src, snippets[int(c)%len(snippets)]...)
	}
	return src
}

// beyondTwin lists documents in which more than one snippet together leads to a known
// difference.
var beyondTwin = []*regexp.Regexp{
	// Elements of SVG and MathML named like HTML elements: the twin takes them for these.
	regexp.MustCompile(`(?s)<(svg|math).*<(html|caption|col|colgroup|tbody|thead|tfoot|tr|td|option|optgroup|rb|rt|rp|rtc)\b`),
	// An unfinished tag at the end of the source: the twin does not add it to the text
	// before it.
	regexp.MustCompile(`</$`),
	// An end tag that leaves foreign content through an element that bounds scopes:
	// the twin looks for the element that it ends before it leaves.
	regexp.MustCompile(`(?s)<annotation-xml>.*</(p|br)>`),
	// White space followed by other text in a noscript in the head: the twin does not
	// divide it.
	regexp.MustCompile(`(?s)<noscript>.*\s`),
}

// FuzzParseTwin compares the tree of a composed document with the twin's.
func FuzzParseTwin(f *testing.F) {
	for i := range snippets {
		f.Add([]byte{byte(i), 34, 64, 91, byte(i), 0, byte(i + 1), 65, 35})
	}
	var p Document
	f.Fuzz(func(t *testing.T, choice []byte) {
		src := compose(choice)
		for _, known := range beyondTwin {
			if known.Match(src) {
				return
			}
		}
		root, err := twin(src)
		if err != nil {
			return
		}
		p.Parse(src, Bounds{})
		checkBuilt(t, &p)
		if p.builder.forgot {
			return // an adoption clones more than three elements, see divergences
		}
		if diff := compareTwin(&p, root); diff != "" {
			t.Fatalf("%q: %s\n%s\ntwin\n%s", bytes.TrimSpace(src), diff, sketch(&p), sketchTwin(root))
		}
	})
}
