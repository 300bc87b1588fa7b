package declared

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/page"
)

// names are the properties as objects have them.
var names = [...]string{
	Type: "@type", Headline: "headline", Name: "name", Author: "author", DatePublished: "datePublished", DateCreated: "dateCreated",
	DateModified: "dateModified", Description: "description", Publisher: "publisher", AccessibleForFree: "isAccessibleForFree",
	graph: "@graph", mainEntity: "mainEntity", mainEntityOfPage: "mainEntityOfPage",
}

// twin lists the objects of a script as encoding/json reads them.
func twin(script []byte) (list []map[string]any) {
	var v any
	if json.Unmarshal(tidy(script), &v) != nil {
		return nil
	}
	var add func(v any, depth int)
	add = func(v any, depth int) {
		if depth > maxDepth {
			return
		}
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				add(e, depth+1)
			}
		case map[string]any:
			if len(list) == maxObjects {
				return
			}
			list = append(list, v)
			for _, key := range names[graph:] {
				add(v[key], depth+1)
			}
		}
	}
	add(v, 0)
	return list
}

// objects lists the objects of a script.
func objects(script []byte) []Object {
	var o Objects
	o.read(script)
	return o.List
}

// same compares the objects of a script with those of its twin, and all values in them.
func same(t *testing.T, script []byte) {
	t.Helper()
	got, want := objects(script), twin(script)
	if len(got) != len(want) {
		t.Fatalf("%.200q: %d objects, want %d", script, len(got), len(want))
	}
	for i, o := range got {
		for p, v := range o {
			w, has := want[i][names[p]]
			if has != (v != nil) || has && !reflect.DeepEqual(whole(t, v), w) {
				t.Fatalf("%.200q: %s of object %d is %.100q, want %v", script, names[p], i, v, w)
			}
		}
	}
}

// whole reads a value by the functions of Value as far as these go.
func whole(t *testing.T, v Value) any {
	switch v.Kind() {
	case '"':
		return v.String()
	case '[':
		list := []any{}
		for e := range v.Elements {
			list = append(list, whole(t, e))
		}
		return list
	case '{':
		object, last := map[string]any{}, map[string]Value{}
		for name, value := range v.members {
			object[string(name)], last[string(name)] = whole(t, value), value
		}
		for name, value := range last {
			if got := v.Member(name); !bytes.Equal(got, value) {
				t.Fatalf("%.200q: member %q is %q, want %q", v, name, got, value)
			}
		}
		return object
	}
	var x any
	if err := json.Unmarshal(v, &x); err != nil {
		t.Fatalf("%q: %v", v, err)
	}
	return x
}

var scripts = []string{
	``, `{}`, `[]`, `null`, ` { "@type" : "Article" , "name" : [ 1 , "x" ] } `, `{"@graph":[{"name":"a"},{"name":"b","@graph":{"name":"c"}}],"name":"d","name":"e"}`,
	`{"\u0040type":"Art\u0069cle","author":{"name":"A \"B\" \ud83d\ude00 \ud800","@value":1e3},"mainEntity":{"@type":"Thing"},"mainEntityOfPage":"x"}`,
	`<!--{"name":"a"}-->`, `//<![CDATA[
{"name":"\/a\\"};
//]]>`, `{"name":"tab	in it"}`, `{"name":"a",}`, `[1,2,,3]`, `[1 2]`, `{"a" 1}`, `{"a":}`, `{1:2}`, `"a" "b"`, `[`, `{`, `{"a`, `{"a\`, `{"a\u12`, `["\x"]`,
	`[0,-0,1.5,-1.5e+10,1E5,0.0]`, `[01]`, `[-]`, `[1.]`, `[.5]`, `[1e]`, `[1e309]`, `[-1e-400]`, `[` + strings.Repeat("9", 400) + `]`, `[true,false,null]`, `[tru]`, `[nulls]`, `[True]`,
	strings.Repeat("[", maxNesting) + strings.Repeat("]", maxNesting), strings.Repeat("[", maxNesting+1) + strings.Repeat("]", maxNesting+1), strings.Repeat(`{"@graph":`, 40) + `1` + strings.Repeat("}", 40),
	"{\"name\":\"\xff\u00e9\",\"\xffname\":1}", `{"name":{"a":[{"b":"]}\"{["}]},"isAccessibleForFree":false}`, `{"name":"` + strings.Repeat(`\"`, 50) + `"}`, `[{"name":"a"}]]`, `{"name":"a"}}`, "\u00a0{}",
}

func TestObjects(t *testing.T) {
	for _, s := range scripts {
		same(t, []byte(s))
	}
	if n := len(objects([]byte(`{"@graph":[{"name":"a"},{"name":"b","@graph":{"name":"c"}}],"name":"d","name":"e"}`))); n != 4 {
		t.Errorf("%d objects, want 4", n)
	}
	if n := len(objects([]byte("[" + strings.Repeat("{},", 2*maxObjects) + "{}]"))); n != maxObjects {
		t.Errorf("%d objects, want %d", n, maxObjects)
	}
}

// TestTwinOnRealPages compares the JSON-LD of real pages with what encoding/json reads.
func TestTwinOnRealPages(t *testing.T) {
	var p page.Page
	var pass algorithms.Pass
	found := 0
	for _, real := range algotest.RealPages(t, 5, "trafilatura-dev") {
		p.Parse([]byte(real.HTML), page.Options{})
		pass.Reset(&p, "http://example.org/")
		for _, script := range Of.Of(&pass).Scripts {
			same(t, script)
			found += len(objects(script))
		}
	}
	if found == 0 {
		t.Error("no real page has JSON-LD")
	}
}

func FuzzObjects(f *testing.F) {
	for _, s := range scripts {
		if len(s) < 1000 {
			f.Add([]byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, script []byte) { same(t, script) })
}

// TestNothingIsAllocated: reading objects takes no memory but that of the values that a
// fact then asks for.
func TestNothingIsAllocated(t *testing.T) {
	var o Objects
	script := []byte(`{"@graph":[{"@type":"Article","headline":"It was said \u2014 so","author":[{"name":"Ada"}]},{"@type":"WebSite","name":"Site"}]}`)
	if n := testing.AllocsPerRun(5, func() { o.List = o.List[:0]; o.read(script) }); n > 0 {
		t.Errorf("%v allocations a script", n)
	}
	if len(o.List) != 3 || !bytes.Contains(o.List[1][Headline], []byte("said")) {
		t.Errorf("objects %q", o.List)
	}
}

// BenchmarkObjects compares reading the JSON-LD of real pages with encoding/json.
func BenchmarkObjects(b *testing.B) {
	var p page.Page
	var pass algorithms.Pass
	var all [][]byte
	size := 0
	for _, real := range algotest.RealPages(b, 5, "trafilatura-dev") {
		p.Parse([]byte(real.HTML), page.Options{})
		pass.Reset(&p, "http://example.org/")
		for _, script := range Of.Of(&pass).Scripts {
			all, size = append(all, bytes.Clone(script)), size+len(script)
		}
	}
	for name, read := range map[string]func(script []byte){
		"by=winnow":        func() func([]byte) { var o Objects; return func(s []byte) { o.List = o.List[:0]; o.read(s) } }(),
		"by=encoding-json": func(s []byte) { twin(s) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				for _, s := range all {
					read(s)
				}
			}
		})
	}
}
