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

// TestFile checks that a file is read whatever its status and media type are.
func TestFile(t *testing.T) {
	var d Decoder
	d.Options.MaxPayload = 12
	for _, c := range []struct {
		kind        Kind
		block, want string
		status      int
		fails       bool
	}{
		{Response, "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\n\r\nno", "no", 404, false},
		{Response, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n", "", 200, false},
		{Response, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + pack(t, "gzip", "User-agent: *\nDisallow: /"), "User-agent: ", 200, false},
		{Resource, "User-agent: *", "User-agent: ", 0, false},
		{Response, "User-agent: *", "", 0, true},
	} {
		body, status, err := d.File(Message{Kind: c.kind, Block: []byte(c.block)})
		if string(body) != c.want || status != c.status || (err != nil) != c.fails {
			t.Errorf("%q: %q, %d, %v", c.block, body, status, err)
		}
	}
}
