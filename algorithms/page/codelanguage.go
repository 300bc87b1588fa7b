package page

import (
	"bytes"
	"slices"

	"github.com/winnow/winnow/algorithms/html"
)

// languageOf returns the language of code that is named by the element n, the code element in it or one
// of the elements around it, in the form that the HTML standard suggests:
// language-go. It is nil if none does.
func (p *Page) languageOf(n html.Node) []byte {
	t := &p.Tree
	if l := p.ownLanguage(n, true); l != nil {
		return l
	}
	if c := n + 1; c < t.End[n] && t.Kind[c] == html.KindElement && (t.Tag[c] == html.TagCode || t.Tag[c] == html.TagPre) {
		if l := p.ownLanguage(c, true); l != nil {
			return l
		}
	}
	for range 8 { // as in div.highlight-c table tbody tr td div.highlight pre
		if n = t.Parent[n]; n == 0 || t.Tag[n] == html.TagBody {
			break
		}
		if l := p.ownLanguage(n, false); l != nil {
			return l
		}
	}
	return nil
}

// languagePrefixes precede the name of a language in a class.
var languagePrefixes = [][]byte{
	[]byte("language-"), []byte("lang-"), []byte("highlight-source-"), []byte("highlight-text-"), []byte("highlight-"), []byte("brush:"), []byte("lang:"), []byte("dp-"),
}

// languageMarks are classes beside which the name of a language is a class itself.
var languageMarks = [][]byte{[]byte("highlight"), []byte("hljs"), []byte("sourceCode"), []byte("syntaxhighlighter"), []byte("prettyprint"), []byte("brush:"), []byte("code")}

// ownLanguage returns the language that an element itself names. shows reports whether the
// element shows the code, so that its class is about nothing else.
func (p *Page) ownLanguage(n html.Node, shows bool) []byte {
	for _, a := range p.Attrs(n) {
		value := p.AttrValue(a)
		switch string(p.AttrName(a)) {
		case "data-lang", "data-language", "data-enlighter-language", "data-code-language":
			if l := languageWord(value); l != nil {
				return l
			}
		case "class":
			marked := false
			for word := range bytes.FieldsSeq(value) {
				word = bytes.TrimRight(word, ";,")
				for i, prefix := range languagePrefixes {
					if name, ok := bytes.CutPrefix(word, prefix); ok && (isLanguage(name) || shows && i < 2) {
						if l := languageWord(name); l != nil {
							return l
						}
					}
				}
				marked = marked || slices.ContainsFunc(languageMarks, func(m []byte) bool { return bytes.Equal(m, word) })
			}
			for word := range bytes.FieldsSeq(value) {
				if word = bytes.TrimRight(word, ";,"); (marked || shows) && isLanguage(word) {
					return languageWord(word)
				}
			}
		}
	}
	return nil
}

// languageWord returns language- with the name in lower case, or nil if name does not look
// like the name of a language, or states that there is none.
func languageWord(name []byte) []byte {
	name = bytes.ToLower(bytes.TrimSpace(name))
	switch string(name) {
	case "", "none", "auto", "default", "undefined", "nohighlight", "unknown", "generic":
		return nil
	}
	for _, c := range name {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || bytes.IndexByte([]byte("+#.-_"), c) >= 0) {
			return nil
		}
	}
	if len(name) > 24 {
		return nil
	}
	return append([]byte("language-"), name...)
}

// isLanguage reports whether a word names a common language, so that it is one where
// nothing else marks it as a language.
func isLanguage(word []byte) bool {
	switch string(bytes.ToLower(word)) {
	case "ada", "apache", "applescript", "asm", "assembly", "awk", "bash", "bat", "batch", "c", "c++", "clojure", "cmake", "coffeescript", "console",
		"cpp", "cs", "csharp", "css", "csv", "cuda", "d", "dart", "delphi", "diff", "docker", "dockerfile", "elixir", "elm", "erlang", "fortran",
		"fsharp", "glsl", "go", "golang", "gradle", "graphql", "groovy", "haskell", "hcl", "html", "http", "ini", "ipython3", "java", "javascript",
		"jinja", "js", "json", "jsx", "julia", "kotlin", "latex", "less", "lisp", "lua", "makefile", "markdown", "mathematica", "matlab", "nginx",
		"nim", "objc", "objective-c", "objectivec", "ocaml", "pascal", "perl", "pgsql", "php", "plsql", "postgresql", "powershell", "prolog",
		"protobuf", "ps1", "py", "pycon", "python", "python2", "python3", "r", "racket", "rb", "rest", "ruby", "rust", "sas", "sass", "scala",
		"scheme", "scss", "sh", "shell", "shell-session", "solidity", "sql", "svelte", "swift", "tcl", "tex", "toml", "ts", "tsx", "typescript",
		"vb", "vbnet", "verilog", "vhdl", "vim", "vue", "wasm", "xhtml", "xml", "xquery", "xslt", "yaml", "yml", "zig", "zsh":
		return true
	}
	return false
}
