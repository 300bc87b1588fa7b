package html

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// netTestdata is the folder of golang.org/x/net/html's test data, which contains the
// html5lib corpus. It is read from the folder of the module.
func netTestdata(t testing.TB) string {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net").Output()
	if err != nil {
		t.Skipf("the module golang.org/x/net is not there: %v", err)
	}
	return filepath.Join(strings.TrimSpace(string(dir)), "html", "testdata")
}

// treeCase is one case of a tree-construction file.
type treeCase struct {
	name    string
	data    string
	want    string
	context string // "", "div", "svg desc" …
	script  string // "", "on", "off"
}

// readTreeCases reads a .dat file.
func readTreeCases(t testing.TB, file string) (cases []treeCase) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := "\n" + strings.TrimRight(string(raw), "\n")
	for i, one := range strings.Split(text, "\n#data\n")[1:] {
		c := treeCase{name: fmt.Sprintf("%s/%d", filepath.Base(file), i)}
		// Sections begin with a "#" line; data and document may hold anything else.
		data, rest, ok := strings.Cut("\n"+one, "\n#errors\n")
		if !ok {
			t.Fatalf("%s: no errors", c.name)
		}
		c.data = strings.TrimPrefix(data, "\n")
		head, document, ok := strings.Cut("\n"+rest+"\n", "\n#document\n")
		if !ok {
			t.Fatalf("%s: no document", c.name)
		}
		lines := strings.Split(head, "\n")
		for j, line := range lines {
			switch {
			case line == "#document-fragment":
				c.context = lines[j+1]
			case strings.HasPrefix(line, "#script-"):
				c.script = strings.TrimPrefix(line, "#script-")
			}
		}
		c.want = strings.TrimRight(document, "\n") + "\n"
		cases = append(cases, c)
	}
	return cases
}

// refusedTrees are the cases that Winnow does not follow, with the reason.
var refusedTrees = map[string]string{
	`<!DOCTYPE &gt; PUBLIC "&gt;" "&gt;">`: "a test of golang.org/x/net alone: the standard has no character references in a doctype",
	// The standard copies the chosen option into selectedcontent elements
	// ("element insertion steps"). That is scripted behaviour of a rendered
	// control; golang.org/x/net refuses these as well.
	`<select><button><selectedcontent></button><option>X`:                   "selectedcontent is not filled",
	`<select><button><selectedcontent></button><option>x<i>i<b>ib</i>b`:     "selectedcontent is not filled",
	`<select><button><selectedcontent></button><option>X<option>Y`:          "selectedcontent is not filled",
	`<select><button><selectedcontent></button><option>X<option selected>Y`: "selectedcontent is not filled",
}

// TestTreeConstruction runs the html5lib cases that golang.org/x/net/html's own tests
// run, and the cases of that module itself. Cases with scripting are left out, because
// Winnow parses pages without scripting.
func TestTreeConstruction(t *testing.T) {
	dir := netTestdata(t)
	var files []string
	for _, pattern := range []string{"html5lib-tests/tree-construction/*.dat", "go/*.dat"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Skipf("no test data in %s", dir)
	}
	var p Document // one for all cases: an earlier case must not affect a later one
	ran, refused := 0, 0
	for _, file := range files {
		for _, c := range readTreeCases(t, file) {
			if c.script == "on" {
				continue
			}
			if refusedTrees[c.data] != "" {
				refused++
				continue
			}
			ran++
			if c.context == "" {
				p.Parse([]byte(c.data), Bounds{})
			} else {
				p.reset([]byte(c.data), Bounds{})
				space, name := SpaceHTML, c.context
				if s, ok := strings.CutPrefix(name, "svg "); ok {
					space, name = SpaceSVG, s
				} else if s, ok := strings.CutPrefix(name, "math "); ok {
					space, name = SpaceMathML, s
				}
				p.builder.parseFragment(&p, space, name)
			}
			t.Run(c.name, func(t *testing.T) {
				checkBuilt(t, &p)
				if got := dump(&p, c.context != ""); got != c.want {
					t.Errorf("%q in %q:\ngot\n%swant\n%s", c.data, c.context, got, c.want)
				}
			})
		}
	}
	if ran < 1500 || refused != len(refusedTrees) {
		t.Errorf("%d cases ran, %d were refused", ran, refused)
	}
	t.Logf("%d cases, %d refused", ran, refused)
}

// foreignAttrs lists the attributes that have a namespace on foreign elements.
var foreignAttrs = []string{"xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show",
	"xlink:title", "xlink:type", "xml:lang", "xml:space", "xmlns:xlink"}

// dump formats the tree as the html5lib corpus does. Of a fragment it formats the nodes
// below the html element.
func dump(p *Document, fragment bool) string {
	var b strings.Builder
	from, level := Node(0), -1
	if fragment {
		from, level = 1, -1
	}
	dumpNode(&b, p, from, level)
	return b.String()
}

func dumpNode(b *strings.Builder, p *Document, n Node, level int) {
	t := &p.Tree
	line := func(level int, format string, args ...any) {
		b.WriteString("| " + strings.Repeat("  ", level))
		fmt.Fprintf(b, format+"\n", args...)
	}
	data := string(t.Text[t.Data[n].Start:t.Data[n].End])
	below := level + 1
	if level >= 0 {
		switch t.Kind[n] {
		case KindElement:
			space := [...]string{"", "svg ", "math "}[t.Space[n]]
			line(level, "<%s%s>", space, p.TagName(t.Tag[n]))
			var lines [][2]string
			for _, a := range p.Attrs(n) {
				name := string(p.AttrName(a))
				if t.Space[n] != SpaceHTML && slices.Contains(foreignAttrs, name) {
					name = strings.Replace(name, ":", " ", 1)
				}
				lines = append(lines, [2]string{name, string(p.AttrValue(a))})
			}
			slices.SortFunc(lines, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
			for _, a := range lines {
				line(below, `%s="%s"`, a[0], a[1])
			}
			if t.Space[n] == SpaceHTML && t.Tag[n] == TagTemplate {
				line(below, "content")
				below++
			}
		case KindText:
			line(level, `"%s"`, data)
		case KindComment:
			line(level, "<!-- %s -->", data)
		case KindDoctype:
			var ids []string
			for _, a := range p.Attrs(n) {
				ids = append(ids, string(p.AttrName(a)), string(p.AttrValue(a)))
			}
			public, system := "", ""
			for i := 0; i < len(ids); i += 2 {
				if ids[i] == "public" {
					public = ids[i+1]
				} else {
					system = ids[i+1]
				}
			}
			if public+system != "" {
				data += fmt.Sprintf(` "%s" "%s"`, public, system)
			}
			line(level, "<!DOCTYPE %s>", data)
		}
	}
	for c := n + 1; c < t.End[n]; c = t.End[c] {
		dumpNode(b, p, c, below)
	}
}

// checkBuilt verifies what must hold for every page that the builder made.
func checkBuilt(t testing.TB, p *Document) {
	t.Helper()
	tr, l := &p.Tree, &p.Lex
	size := tr.Len()
	for name, n := range map[string]int{
		"Space": len(tr.Space), "Tag": len(tr.Tag), "Parent": len(tr.Parent), "End": len(tr.End),
		"Data": len(tr.Data), "AttrStart": len(tr.AttrStart), "AttrEnd": len(tr.AttrEnd),
		"Open": len(tr.Open), "Close": len(tr.Close),
	} {
		if n != size {
			t.Fatalf("%d nodes, %d in %s", size, n, name)
		}
	}
	if size == 0 || tr.Kind[0] != KindDocument || tr.End[0] != Node(size) {
		t.Fatalf("%d nodes, no document", size)
	}
	if p.Find(TagBase, 0, Node(size)) != 0 && !tr.HasBase {
		t.Fatal("there is a base element, and HasBase says that there is none")
	}
	inSource := func(r Range) bool { return r.Start <= r.End && int(r.End) <= len(p.Source) }
	inText := func(r Range) bool { return r.Start <= r.End && int(r.End) <= len(tr.Text) }
	path := []Node{0}
	for n := Node(1); int(n) < size; n++ {
		for n >= tr.End[path[len(path)-1]] {
			path = path[:len(path)-1]
		}
		if up := path[len(path)-1]; tr.Parent[n] != up || tr.End[n] <= n || tr.End[n] > tr.End[up] {
			t.Fatalf("node %d: parent %d, end %d, below %d", n, tr.Parent[n], tr.End[n], up)
		}
		path = append(path, n)
		if tr.Kind[n] == KindElement && len(path)-1 > max(p.bounds.MaxDepth, minDepth)+1 {
			t.Fatalf("node %d: depth %d", n, len(path)-1)
		}
		if !inText(tr.Data[n]) || !inSource(tr.Open[n]) || !inSource(tr.Close[n]) ||
			tr.AttrStart[n] > tr.AttrEnd[n] || int(tr.AttrEnd[n]) > len(tr.Attrs) {
			t.Fatalf("node %d: %v %v %v %d %d", n, tr.Data[n], tr.Open[n], tr.Close[n], tr.AttrStart[n], tr.AttrEnd[n])
		}
		switch tr.Kind[n] {
		case KindElement:
			if tr.Data[n] != (Range{}) || tr.Tag[n] == TagNone {
				t.Fatalf("element %d: data %v, tag %d", n, tr.Data[n], tr.Tag[n])
			}
		case KindText, KindComment:
			if tr.End[n] != n+1 || tr.Close[n] != (Range{}) || tr.Kind[n] == KindText && tr.Data[n].Len() == 0 {
				t.Fatalf("text %d: end %d, close %v, data %v", n, tr.End[n], tr.Close[n], tr.Data[n])
			}
		}
		seen := map[string]bool{}
		for _, a := range p.Attrs(n) {
			if a.Flags&AttrNameInText == 0 && !inSource(a.Name) || a.Flags&AttrNameInText != 0 && !inText(a.Name) ||
				a.Flags&AttrValueInText == 0 && !inSource(a.Value) || a.Flags&AttrValueInText != 0 && !inText(a.Value) {
				t.Fatalf("node %d: attribute %v", n, a)
			}
			if name := string(p.AttrName(a)); seen[name] {
				t.Fatalf("node %d: attribute %q twice", n, name)
			} else {
				seen[name] = true
			}
		}
		if tr.Kind[n] == KindElement && len(seen) > p.bounds.MaxAttrs {
			t.Fatalf("node %d: %d attributes", n, len(seen))
		}
	}
	// The runs of characters that reached a node are its data, in order.
	runs := make([][]byte, size)
	pos := uint32(0)
	for i := range l.Len() {
		if !inSource(l.Src[i]) || l.Src[i].Len() == 0 || l.Src[i].Start < pos {
			t.Fatalf("item %d: %v after %d", i, l.Src[i], pos)
		}
		pos = l.Src[i].End
		n := l.Node[i]
		if n < 0 || int(n) >= size {
			t.Fatalf("item %d: node %d", i, n)
		}
		if l.Kind[i] != LexText {
			if l.Data[i] != (Range{}) {
				t.Fatalf("item %d: data %v", i, l.Data[i])
			}
			checkTag(t, p, i)
			continue
		}
		if !inText(l.Data[i]) || (n == 0) != (l.Data[i].Len() == 0) {
			t.Fatalf("item %d: node %d, data %v", i, n, l.Data[i])
		}
		if n != 0 {
			if runs[n] == nil && tr.Open[n] != l.Src[i] {
				t.Fatalf("text %d: open %v, first run %v", n, tr.Open[n], l.Src[i])
			}
			d := l.Data[i]
			runs[n] = append(runs[n], tr.Text[d.Start:d.End]...)
			if d.Start < tr.Data[n].Start || d.End > tr.Data[n].End {
				t.Fatalf("item %d: data %v outside of node %d, %v", i, d, n, tr.Data[n])
			}
		}
	}
	for n := range size {
		if tr.Kind[n] == KindText && !bytes.Equal(runs[n], tr.Text[tr.Data[n].Start:tr.Data[n].End]) {
			t.Fatalf("text %d: runs %q, data %q", n, runs[n], tr.Text[tr.Data[n].Start:tr.Data[n].End])
		}
	}
}

// checkTag verifies the item i, which is not text.
func checkTag(t testing.TB, p *Document, i int) {
	t.Helper()
	tr, l := &p.Tree, &p.Lex
	n, src := l.Node[i], l.Src[i]
	if n == 0 {
		return
	}
	ok := true
	named := strings.EqualFold(p.TagName(l.Tag[i]), p.TagName(tr.Tag[n])) // the same except for SVG elements
	switch l.Kind[i] {
	case LexStart, LexSelfClose:
		ok = tr.Kind[n] == KindElement && tr.Open[n] == src && p.Source[src.Start] == '<' && p.Source[src.End-1] == '>' &&
			(named || l.Tag[i] == TagImage && tr.Tag[n] == TagImg)
	case LexEnd:
		heading := l.Tag[i].props()&tr.Tag[n].props()&propHeading != 0
		ok = tr.Kind[n] == KindElement && p.Source[src.Start+1] == '/' && (named || heading) &&
			(tr.Close[n] == src || (tr.Tag[n] == TagBody || tr.Tag[n] == TagHtml) && tr.Close[n].Start > src.Start)
	case LexComment:
		ok = tr.Kind[n] == KindComment && tr.Open[n] == src
	case LexDoctype:
		ok = tr.Kind[n] == KindDoctype && tr.Open[n] == src
	}
	if !ok {
		t.Fatalf("item %d, kind %d, %q: node %d, open %v, close %v", i, l.Kind[i], p.Source[src.Start:src.End], n, tr.Open[n], tr.Close[n])
	}
}
