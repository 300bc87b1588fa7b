package page

import "testing"

// TestWholeHasWhatBodyLeavesOut compares the second node table with the first one, which
// must not change when the second one is computed.
func TestWholeHasWhatBodyLeavesOut(t *testing.T) {
	const src = `<body><p>seen</p><noscript><p>without scripts</p></noscript><div hidden>two words</div><script>no</script>`
	var p Page
	p.Parse([]byte(src), Options{})
	for range 2 {
		b, w := p.Body(), p.Whole()
		if got, want := string(b.Text), "seen\ntwo words"; got != want {
			t.Errorf("text of the body %q, want %q", got, want)
		}
		if got, want := string(w.Text), "seen\nwithout scripts\ntwo words"; got != want {
			t.Errorf("text of the whole %q, want %q", got, want)
		}
		if got := b.Sum(b.W, 0); got != 1 {
			t.Errorf("the body counts %d words, want 1", got)
		}
		hidden := 0
		for r, f := range w.Flags {
			if f&(IsText|Hidden) == IsText|Hidden {
				hidden++
				if at, ok := b.Row(w.Node[r]); !ok || b.Flags[at]&Hidden == 0 {
					t.Errorf("hidden row %d is not the body's", r)
				}
			}
		}
		if hidden != 1 {
			t.Errorf("%d hidden texts, want 1", hidden)
		}
		p.Parse([]byte("<body><p>seen</p><p hidden>not seen</p>"), Options{})
		if p.Whole() != &p.Body().Table {
			t.Error("a page without noscript has two tables")
		}
		p.Parse([]byte(src), Options{}) // a page that was used before gives the same result
	}
}
