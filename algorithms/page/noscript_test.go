package page

import "testing"

// TestNoscriptFollowsTheBody checks that the rows of noscript elements follow those of the
// body in one table, and change none of the body's columns.
func TestNoscriptFollowsTheBody(t *testing.T) {
	const src = `<body><p>seen</p><noscript><p>without <b>scripts</b></p><noscript>again</noscript></noscript><div hidden>two words<noscript>none</noscript></div><script>no</script>`
	var p Page
	for range 2 { // a page that was used before gives the same result
		p.Parse([]byte(src), Options{})
		b := p.Body()
		if got, want := string(b.Text), "seen\ntwo words"; got != want {
			t.Errorf("text of the body %q, want %q", got, want)
		}
		if got, want := string(b.All.Text), "seen\ntwo words\nwithout scripts\nagain\nnone"; got != want {
			t.Errorf("text of all rows %q, want %q", got, want)
		}
		if got := b.Sum(b.TextWords, 0); got != 1 {
			t.Errorf("the body counts %d words, want 1", got)
		}
		if got := len(b.AllWords().Span); got != 7 {
			t.Errorf("%d words in all rows, want 7", got)
		}
		if b.EKids[0] != 2 {
			t.Errorf("the body has %d children, want 2", b.EKids[0])
		}
		for r, f := range b.All.Flags {
			if (f&InNoscript != 0) != (r >= b.Len()) {
				t.Errorf("row %d of %d: flags %b", r, b.Len(), f)
			}
			if parent := b.All.Parent[r]; r > 0 && int(parent) >= r {
				t.Errorf("the parent of row %d is row %d", r, parent)
			}
		}
		last := b.All.Len() - 2 // the noscript element in the hidden one
		if b.All.Flags[last]&Hidden == 0 || b.All.Depth[last] != 2 || string(b.Text[b.TextStart[b.All.Parent[last]]:]) != "two words" {
			t.Errorf("the last element noscript is not in the hidden element")
		}
	}
}

// TestUnclosedRawText checks that an element of raw text which is never closed does not hide
// the page.
func TestUnclosedRawText(t *testing.T) {
	for src, want := range map[string]string{
		"<title>On mills<p>The mill grinds.":   "On mills\nThe mill grinds.",
		"<title>On mills":                      "",
		"<title>On mills</title><p>It.":        "It.",
		"<p>Mills<iframe src=x /><p>grind.":    "Mills\ngrind.",
		"<p>Mills<iframe>old<p></iframe>.":     "Mills.",
		"<p>Mills<iframe />old<p></iframe>.":   "Millsold\n.",
		"<p>Mills<script>a<p>grind":            "Mills",
		"<p>a<iframe /><style /><p>b<iframe>c": "a\nb",
	} {
		var p Page
		p.Parse([]byte(src), Options{})
		if got := string(p.Body().Text); got != want {
			t.Errorf("%s: text %q, want %q", src, got, want)
		}
	}
}

// TestCodeInNoscript checks that code is written as pre in noscript, whose rows are none of
// the body's.
func TestCodeInNoscript(t *testing.T) {
	var p Page
	p.Parse([]byte("<p>seen</p><noscript><pre>a = 1\nb = 2</pre></noscript>"), Options{})
	b := p.Body()
	s := Selection{Spans: []Span{{0, int32(len(b.All.Text))}}}
	if got, want := string(p.AppendHTML(nil, &s)), "<p>seen</p><pre>a = 1\nb = 2</pre>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
