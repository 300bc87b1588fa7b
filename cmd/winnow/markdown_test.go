package main

import "testing"

func TestMarkdown(t *testing.T) {
	conv := newMarkdown()
	for _, c := range []struct{ why, html, want string }{
		{"a table of data stays one",
			"<table><tr><th>grain</th><th>tons</th></tr><tr><td>rye</td><td>12</td></tr></table>",
			"| grain | tons |\n|-------|------|\n| rye   | 12   |"},
		{"a table of one column is layout", "<table><tr><td>First.</td></tr><tr><td>Second.</td></tr></table>", "First.\n\nSecond."},
		{"so is one that holds another", "<table><tr><td>Menu</td><td><table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table></td></tr></table>",
			"Menu\n\n| a | b |\n|---|---|\n| c | d |"},
		{"cells with paragraphs are not glued", "<table><tr><td><p>One.</p><p>Two.</p></td><td>Three.</td></tr></table>", "One.\n\nTwo.\n\nThree."},
		{"no table", "<h1>Mill</h1><p>It <em>turns</em>. <a href=\"http://example.org/\">More</a>", "# Mill\n\nIt *turns*. [More](http://example.org/)"},
	} {
		got, err := markdownOf(conv, []byte(c.html))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != c.want {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
}
