package payload

import "testing"

func TestLocationOfRedirects(t *testing.T) {
	var d Decoder
	for block, want := range map[string]string{
		"HTTP/1.1 301 Moved\r\nLocation: /a b\r\n\r\n":                             "/a b",
		"HTTP/1.1 302 Found\r\nlocation:http://x.example/\r\nLOCATION: /z\r\n\r\n": "/z",
		"HTTP/1.1 308 X\r\nLocation: /a\r\n  /folded\r\n\r\n":                      "/a /folded",
		"HTTP/1.1 303 See Other\r\n\r\n":                                           "",
		"HTTP/1.1 304 Not Modified\r\nLocation: /a\r\n\r\n":                        "",
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLocation: /a\r\n\r\n<p>":    "",
		"HTTP/1.1 404 Not Found\r\nLocation: /a\r\n\r\n":                           "",
	} {
		if doc := d.Decode(Message{Block: []byte(block)}); doc.Location != want {
			t.Errorf("%q leads to %q, want %q", block, doc.Location, want)
		}
	}
}
