package html

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// tokenCase is one case of a tokenizer file.
type tokenCase struct {
	Description   string
	Input         string
	Output        [][]any
	InitialStates []string
	LastStartTag  string
	DoubleEscaped bool
}

// unescape undoes the second level of escapes of a case.
func unescape(v any) any {
	switch v := v.(type) {
	case string:
		var b strings.Builder
		for i := 0; i < len(v); i++ {
			if strings.HasPrefix(v[i:], `\u`) && i+6 <= len(v) {
				n, err := strconv.ParseUint(v[i+2:i+6], 16, 16)
				if err == nil {
					b.WriteRune(rune(n))
					i += 5
					continue
				}
			}
			b.WriteByte(v[i])
		}
		return b.String()
	case map[string]any:
		for k, x := range v {
			delete(v, k)
			v[unescape(k).(string)] = unescape(x)
		}
	case []any:
		for i := range v {
			v[i] = unescape(v[i])
		}
	}
	return v
}

// scanAll returns the tokens from the current state of b to the end, in the form of the
// tokenizer files.
func scanAll(b *builder) (tokens []any) {
	text := func(s []byte) {
		if n := len(tokens); n > 0 && tokens[n-1].([]any)[0] == "Character" {
			last := tokens[n-1].([]any)
			last[1] = last[1].(string) + string(s)
		} else if len(s) > 0 {
			tokens = append(tokens, []any{"Character", string(s)})
		}
	}
	part := func(r Range) string { return string(b.tree.Text[r.Start:r.End]) }
	for {
		switch b.next() {
		case tokEOF:
			return tokens
		case tokText:
			text(appendDecoded(nil, b.src[b.tok.from:b.tok.to], b.tok.decode))
		case tokStart:
			attrs := map[string]any{}
			for i := int(b.tok.attrs); i < len(b.tree.Attrs); i++ {
				a := &b.tree.Attrs[i]
				attrs[string(b.attrName(a))] = string(b.attrValue(a))
			}
			tag := []any{"StartTag", b.doc.TagName(b.tok.tag), attrs}
			if b.tok.selfClosing {
				tag = append(tag, true)
			}
			tokens = append(tokens, tag)
		case tokEnd:
			tokens = append(tokens, []any{"EndTag", b.doc.TagName(b.tok.tag)})
		case tokComment:
			tokens = append(tokens, []any{"Comment",
				string(appendDecoded(nil, b.src[b.tok.from:b.tok.to], nulReplaced))})
		case tokDoctype:
			d := &b.tok.doctype
			doctype := []any{"DOCTYPE", nil, nil, nil, !d.forceQuirks}
			if d.name.Len() > 0 {
				doctype[1] = part(d.name)
			}
			if d.public.present {
				doctype[2] = part(d.public.text)
			}
			if d.system.present {
				doctype[3] = part(d.system.text)
			}
			tokens = append(tokens, doctype)
		}
	}
}

// TestTokenizer runs the tokenizer cases of the html5lib corpus in every
// initial state, among them those that golang.org/x/net/html leaves out.
func TestTokenizer(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(netTestdata(t), "html5lib-tests/tokenizer/*.test"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("no tokenizer cases")
	}
	var p Document
	ran := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var suite struct{ Tests []tokenCase }
		if err := json.Unmarshal(raw, &suite); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, c := range suite.Tests {
			if len(c.InitialStates) == 0 {
				c.InitialStates = []string{"Data state"}
			}
			if c.DoubleEscaped {
				c.Input = unescape(c.Input).(string)
				for i := range c.Output {
					c.Output[i] = unescape([]any(c.Output[i])).([]any)
				}
			}
			var want []any
			for _, tok := range c.Output {
				if n := len(want); n > 0 && tok[0] == "Character" && want[n-1].([]any)[0] == "Character" {
					last := want[n-1].([]any)
					last[1] = last[1].(string) + tok[1].(string)
					continue
				}
				want = append(want, tok)
			}
			for _, state := range c.InitialStates {
				if state == "Script data state" && c.LastStartTag != "" && c.LastStartTag != "script" {
					continue // no document leads to this state of the standard's machine
				}
				c, want := c, want
				if state == "RCDATA state" {
					c, want = asTitle(c, want)
				}
				t.Run(fmt.Sprintf("%s/%s/%s", filepath.Base(file), c.Description, state), func(t *testing.T) {
					if got := scanFrom(&p, c, state); !reflect.DeepEqual(got, want) {
						t.Errorf("%q:\ngot  %q\nwant %q", c.Input, got, want)
					}
				})
				ran++
			}
		}
	}
	if ran < 6500 {
		t.Errorf("only %d cases", ran)
	}
}

// asTitle returns c with its element renamed to title. To the scanner the elements with
// RCDATA are title and textarea, but the corpus uses xmp.
func asTitle(c tokenCase, want []any) (tokenCase, []any) {
	if c.LastStartTag == "" {
		return c, want
	}
	name := regexp.MustCompile("(?i)" + c.LastStartTag)
	c.Input = name.ReplaceAllString(c.Input, "title")
	renamed := make([]any, len(want))
	for i, tok := range want {
		renamed[i] = slices.Clone(tok.([]any))
		if s, ok := renamed[i].([]any)[1].(string); ok {
			renamed[i].([]any)[1] = name.ReplaceAllString(s, "title")
		}
	}
	return c, renamed
}

// scanFrom scans the input of c from an initial state. Where the standard has a state and
// the name of an element, the scanner stores the element whose text it is in.
func scanFrom(p *Document, c tokenCase, state string) []any {
	raw := p.intern([]byte(c.LastStartTag))
	switch state {
	case "RCDATA state":
		raw = TagTitle
	case "PLAINTEXT state":
		raw = TagPlaintext
	case "Script data state":
		raw = TagScript
	case "Data state", "CDATA section state":
		raw = TagNone
	}
	p.reset([]byte(c.Input), Bounds{})
	b := &p.builder
	b.begin(p)
	b.raw = raw
	if state != "CDATA section state" {
		return scanAll(b)
	}
	b.cdata(0, 0)
	text := string(appendDecoded(nil, b.src[b.tok.from:b.tok.to], 0))
	tokens := scanAll(b)
	switch {
	case text == "":
		return tokens
	case len(tokens) > 0 && tokens[0].([]any)[0] == "Character":
		tokens[0].([]any)[1] = text + tokens[0].([]any)[1].(string)
		return tokens
	}
	return append([]any{[]any{"Character", text}}, tokens...)
}
