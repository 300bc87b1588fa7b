package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
)

// hostileNames are ids, titles and addresses that would run code in a browser if one of
// them were written without escaping.
var hostileNames = []string{
	`<script>alert(1)</script>`,
	`--><script>alert(1)</script>`,
	`"><img src=x onerror=alert(1)>`,
	`</title></style><svg onload=alert(1)>`,
	`[x](javascript:alert(1))`,
	"a\n\n<script>alert(1)</script>\n",
	`<iframe srcdoc="<script>alert(1)</script>">`,
	`<meta http-equiv=refresh content="0;url=javascript:alert(1)">`,
}

// hostileArchive returns an archive of pages with such names, each with its gold.
func hostileArchive(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "hostile.warc.gz")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := write.NewWriter(file)
	date := time.Unix(0, 0).UTC()
	for i, id := range hostileNames {
		page := []byte("<title>" + html.EscapeString(id) + "</title><h1>" + html.EscapeString(id) + "</h1><p onclick='alert(1)'>" + html.EscapeString(id) +
			` text of the page, long enough to be chosen. <a href="javascript:alert(1)">a</a> <a href="&amp;#106;avascript:alert(1)">b</a>` +
			`<img src="javascript:alert(1)" onerror="alert(1)" alt='` + html.EscapeString(id) + `'></p><script>alert(1)</script>` +
			`<style>@import "http://hostile.example/a.css"; body { background: url(http://hostile.example/b.png) }</style><iframe srcdoc="<script>alert(1)</script>"></iframe>` +
			`<form action="http://hostile.example/"><input autofocus onfocus="alert(1)"></form><object data="http://hostile.example/"></object>` +
			`<div style="background: url(http://hostile.example/c.png)" id="` + html.EscapeString(id) + `"></div><meta http-equiv="refresh" content="0;url=javascript:alert(1)">`)
		block, err := write.HTTPResponse("200 OK", []write.Field{{Name: "Content-Type", Value: "text/html"}}, page)
		if err != nil {
			t.Fatal(err)
		}
		rec := write.ID("hostile", id)
		uri := "http://hostile.example/" + write.EscapeURI(id)
		err = w.Write(&write.Record{Type: "response", ID: rec, Date: date, TargetURI: uri, ContentType: "application/http; msgtype=response", Block: block})
		if err == nil {
			err = gold.WriteGold(w, &schemas.Gold{Version: schemas.GoldVersion, Package: "p", ID: id, URL: id, Title: id, Text: &hostileNames[i]}, rec, uri, date)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return name
}

// ours are the controls of the documents of this program, by their ids.
var ours = []string{"theme", "previous", "next", "shade"}

// inert reports whether a script is data, or the one that the document's policy allows
// by its hash.
func inert(script *html.Node, document []byte) bool {
	text := ""
	if script.FirstChild != nil {
		text = script.FirstChild.Data
	}
	for _, a := range script.Attr {
		if a.Key == "type" && a.Val == "application/json" {
			return json.Valid([]byte(text))
		}
	}
	sum := sha256.Sum256([]byte(text))
	hash := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	return len(script.Attr) == 0 && strings.Contains(html.UnescapeString(string(document)), "; script-src "+hash+";")
}

// active returns the parts of a document that could run, load or submit something, or
// that link to an address that runs code, except for its own.
func active(t *testing.T, document []byte) (found []string) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if slices.Contains([]string{"script", "iframe", "object", "embed", "form", "base", "link", "math", "input", "button", "frame"}, n.Data) {
			own := n.Data == "script" && inert(n, document)
			if n.Data == "iframe" && attribute(n, "sandbox") == "allow-same-origin" && attribute(n, "src") == "" {
				// No script runs in it, and it may neither load nor leave. It has nothing to run, too.
				found = append(found, active(t, []byte(attribute(n, "srcdoc")))...)
				own = true
			}
			for _, a := range n.Attr {
				own = own || a.Key == "id" && slices.Contains(ours, a.Val) && (n.Data == "button" || n.Data == "input")
			}
			if !own {
				found = append(found, "<"+n.Data+">")
			}
		}
		for _, a := range n.Attr {
			value := strings.ToLower(strings.TrimSpace(a.Val))
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "srcdoc" && attribute(n, "sandbox") == "", a.Key == "http-equiv" && value != "content-security-policy":
				found = append(found, n.Data+" "+a.Key)
			case strings.HasPrefix(value, "javascript:"), strings.HasPrefix(value, "data:"):
				found = append(found, n.Data+" "+a.Key+"="+a.Val)
			}
		}
	}
	return found
}

// attribute returns the value of an attribute, which is empty if there is none.
func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// policied reports whether a document begins with a policy that forbids the browser to
// load anything, and to run scripts but the one that it names by its hash.
func policied(document []byte) bool {
	return regexp.MustCompile(`(?is)^<!doctype html>\s*(<html[^>]*>\s*)?(<head>\s*)?<meta charset="utf-8">\s*<meta http-equiv="Content-Security-Policy" content="default-src 'none'; (script-src 'sha256-[^' ]*'; )?(style-src [^";]*; )?base-uri 'none'; form-action 'none'">`).MatchString(html.UnescapeString(string(document)))
}

// No name of an input becomes active content in a file that is written for a browser or
// in Markdown.
func TestHostileNamesStayText(t *testing.T) {
	archive := hostileArchive(t)
	run := func(args ...string) []byte {
		t.Helper()
		var out, errs bytes.Buffer
		cmd := newRootCommand()
		cmd.SetArgs(args)
		cmd.SetOut(&out)
		cmd.SetErr(&errs)
		if err := cmd.ExecuteContext(t.Context()); err != nil {
			t.Fatalf("winnow %q: %v\n%s", args, err, errs.Bytes())
		}
		return out.Bytes()
	}
	browser := func(what string, document []byte) {
		t.Helper()
		if found := active(t, document); len(found) > 0 {
			t.Errorf("%s: %q", what, found)
		}
		if !policied(document) {
			t.Errorf("%s does not begin with a policy: %.300s", what, document)
		}
	}
	browser("extract --format html", run("extract", "--extractors", "plain,bte", "--format", "html", archive))
	for _, id := range hostileNames {
		browser("inspect", run("inspect", "--extractors", "plain", "--format", "html", "--doc", id, archive))
	}
	out := t.TempDir()
	run("run", "--extractors", "plain,bte", "--out", out, archive)
	report, err := os.ReadFile(filepath.Join(out, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	browser("report.html", report)

	text := run("extract", "--extractors", "plain,bte", "--format", "markdown", archive)
	if m := regexp.MustCompile(`(?i)(^|[^\\])<[a-z!/]`).Find(text); m != nil {
		t.Errorf("markdown has a tag: %q in\n%s", m, text)
	}
	if m := regexp.MustCompile(`[^\\]\]\((javascript|data|&#)`).Find(text); m != nil {
		t.Errorf("markdown has an address that runs: %q", m)
	}
}
