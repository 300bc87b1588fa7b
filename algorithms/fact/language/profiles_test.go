package language

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/RadhiFadlillah/whatlanggo"
)

// rewrite reports whether profiles.tsv is to be written again from the source of the library.
func rewrite() bool { return flag.Lookup("update").Value.String() == "true" }

// TestProfiles checks that profiles.tsv has the profiles of the library, which it does not
// export, in the version that go.mod names.
func TestProfiles(t *testing.T) {
	library, err := build.Import("github.com/RadhiFadlillah/whatlanggo", ".", build.FindOnly)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(library.Dir, "lang.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	constants := map[string]string{} // ISO 639-3 codes by the library's names
	for l := range whatlanggo.Langs {
		iso := l.Iso6393()
		constants[strings.ToUpper(iso[:1])+iso[1:]] = codes[l]
	}
	var rows []string
	for name, s := range map[string]script{"latinLangs": latin, "cyrillicLangs": cyrillic, "arabicLangs": arabic,
		"devanagariLangs": devanagari, "hebrewLangs": hebrew, "ethiopicLangs": ethiopic} {
		for language, trigrams := range profilesIn(t, file, name) {
			code, known := constants[language]
			if !known {
				t.Fatalf("no language %s", language)
			}
			rows = append(rows, fmt.Sprintf("%d\t%s\t%s\n", s, code, strings.Join(trigrams, "\t")))
		}
	}
	slices.Sort(rows)
	want := []byte(strings.Join(rows, ""))
	if rewrite() {
		if err := os.WriteFile("profiles.tsv", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(profileData, want) {
		t.Error("profiles.tsv is stale: go test ./algorithms/fact/language -run TestProfiles -update")
	}
}

// profilesIn returns the trigrams of each language in a variable of the library.
func profilesIn(t *testing.T, file *ast.File, variable string) map[string][]string {
	profiles := map[string][]string{}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR || g.Specs[0].(*ast.ValueSpec).Names[0].Name != variable {
			continue
		}
		for _, e := range g.Specs[0].(*ast.ValueSpec).Values[0].(*ast.CompositeLit).Elts {
			kv := e.(*ast.KeyValueExpr)
			var trigrams []string
			for _, x := range kv.Value.(*ast.CompositeLit).Elts {
				s, err := strconv.Unquote(x.(*ast.BasicLit).Value)
				if err != nil || strings.ContainsAny(s, "\t\n") {
					t.Fatalf("%s: %v %q", variable, err, s)
				}
				trigrams = append(trigrams, s)
			}
			profiles[kv.Key.(*ast.Ident).Name] = trigrams
		}
	}
	if len(profiles) == 0 {
		t.Fatalf("no variable %s", variable)
	}
	return profiles
}

// TestAgainstLibrary compares languages and confidences with those of the library itself.
func TestAgainstLibrary(t *testing.T) {
	texts := slices.Collect(maps.Values(golden))
	for i := range len(texts) {
		texts = append(texts, texts[i][:len(texts[i])/3], texts[i]+texts[(i+1)%len(texts)])
	}
	compared := 0
	for _, text := range texts {
		var b buffer
		all := tallyOf([]byte(text))
		if of[all.first] != "" || all.letters < leastLetters {
			continue
		}
		b.score([]byte(text), all.first)
		code, confidence := b.best()
		info := whatlanggo.Detect(string(b.runes))
		want := codes[info.Lang]
		if info.Confidence <= 0 {
			want = ""
		}
		if code != want || confidence != info.Confidence && want != "" {
			t.Errorf("%q: %s (%v), the library says %s (%v)", text, code, confidence, want, info.Confidence)
		}
		compared++
	}
	if compared < 40 {
		t.Errorf("%d texts compared", compared)
	}
}
