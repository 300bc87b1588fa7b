package warc

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

const arcVersion = "filedesc://x.arc 0.0.0.0 20080430204825 text/plain 76\n1 0 InternetArchive\n" +
	"URL IP-address Archive-date Content-type Archive-length\n\n"

// arcRecord returns a valid ARC record.
func arcRecord(url, block string) string {
	return arcRecordWith(url, fmt.Sprint(len(block)), block) + "\n"
}

// arcRecordWith returns an ARC record with any announced length, without the separator.
func arcRecordWith(url, length, block string) string {
	return url + " 192.0.2.1 20080430204826 text/html " + length + "\n" + block
}

func arcPage(url string) string {
	return arcRecord(url, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Page "+url+"\ncolor: red 1 2 3\nhttp://a/ b\n")
}

// TestARCLine parses lines with every order and number of fields that real files have.
func TestARCLine(t *testing.T) {
	for _, c := range []struct {
		line, url, ip, date, media, length string
		odd                                bool
	}{
		{"http://a/ 1.2.3.4 20080430204826 text/html 310", "http://a/", "1.2.3.4", "20080430204826", "text/html", "310", false},
		{"http://a/ 2001:db8::1 20080430204826 text/html 310\r", "http://a/", "2001:db8::1", "20080430204826", "text/html", "310", false},
		{"http://a/ 1.2.3.4 20080430204826 text/html 200 abc123 - 99 x.arc 310", "http://a/", "1.2.3.4", "20080430204826", "text/html", "310", false},
		{"http://a/ b  c 1.2.3.4 20080430204826 text/html 310", "http://a/ b  c", "1.2.3.4", "20080430204826", "text/html", "310", true},
		{"http://a/ 20080430204826 1.2.3.4 text/html 310", "http://a/", "1.2.3.4", "20080430204826", "text/html", "310", true},
		{"http://a/ 1.2.3.4 20080430204826  310", "http://a/", "1.2.3.4", "20080430204826", "", "310", false},
		{"http://a/ 1.2.3.4 20080430204826 310", "http://a/", "1.2.3.4", "20080430204826", "", "310", true},
		{"http://a/ 1.2.3.4 20080430204826 text/html; charset=x 310", "http://a/", "1.2.3.4", "20080430204826", "text/html; charset=x", "310", true},
		{"http://a/ None 2008043020 text/html 310", "http://a/", "None", "2008043020", "text/html", "310", true},
		{"http://a/ 1.2.3.4 null text/html 310", "http://a/", "1.2.3.4", "null", "text/html", "310", true},
		{"http://a/ 1.2.3.4 20080430204826 text/html -1", "http://a/", "1.2.3.4", "20080430204826", "text/html", "-1", false},
	} {
		f, ok := parseARC([]byte(c.line))
		if !ok || string(f.url) != c.url || string(f.ip) != c.ip || string(f.date) != c.date || string(f.media) != c.media ||
			string(f.length) != c.length || f.odd != c.odd {
			t.Errorf("%s: %q %q %q %q %q odd %v, %v", c.line, f.url, f.ip, f.date, f.media, f.length, f.odd, ok)
		}
		if n, a := arcLine([]byte(c.line + "\nrest")); a != yes || n != len(c.line)+1 {
			t.Errorf("%s: %d bytes, answer %d", c.line, n, a)
		}
	}
	for _, line := range []string{"", "<html>", "a: b c d e", "http://a/", "http://a/ 1.2.3.4 x y z", "color: 1.2.3.4 20080430204826",
		"see http://a/ 1.2.3.4 20080430204826 text/html 5", "http://a/ host 30430204826 text/html 5", "a:" + strings.Repeat(" ", maxARCLine)} {
		if n, a := arcLine([]byte(line + "\n")); a != no {
			t.Errorf("%.50q: %d bytes, answer %d", line, n, a)
		}
	}
}

// TestARCRecord checks that an ARC record is read as the WARC record with the same
// content.
func TestARCRecord(t *testing.T) {
	file := arcVersion + arcPage("http://a/") + arcRecord("dns:a", "20080430204826\na. 1 IN A 192.0.2.1\n")
	for name, file := range map[string][]byte{"plain": []byte(file), "gzip": gz(file)} {
		r, err := Open(bytes.NewReader(file), 0, int64(len(file)), -1, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var types []string
		var rec Record
		for r.Next(&rec) == nil {
			types = append(types, rec.Type)
			if rec.Type != TypeResponse {
				continue
			}
			if rec.TargetURI != "http://a/" || rec.ContentType != "text/html" || rec.Field("warc-ip-address") != "192.0.2.1" || rec.RecordID != "" ||
				!rec.Date.Equal(time.Date(2008, 4, 30, 20, 48, 26, 0, time.UTC)) || !bytes.HasPrefix(rec.Block, []byte("HTTP/1.1 200 OK\r\n")) ||
				!bytes.HasSuffix(rec.Block, []byte("http://a/ b\n")) {
				t.Errorf("%s: %+v\n%s", name, rec, rec.Block)
			}
		}
		s := r.Summary()
		delete(s.Defects, MemberMisaligned)
		delete(s.Defects, SingleMember)
		if !slices.Equal(types, []string{TypeWarcinfo, TypeResponse, TypeResource}) || len(s.Defects) > 0 {
			t.Errorf("%s: %v, %v", name, types, s.Defects)
		}
	}
}

// dirtyARC does for ARC what dirtyFile does for WARC.
func dirtyARC(rng *rand.Rand, records int, compress func(string) []byte) []byte {
	b := compress(arcVersion)
	for i := range records {
		url := fmt.Sprintf("http://dirty/%d", i)
		body := "HTTP/1.1 200 OK\r\n\r\n" + noise(rng.IntN(200)) + strings.Repeat("text\n", rng.IntN(2000))
		m := compress(arcRecord(url, body))
		switch rng.IntN(10) {
		case 0:
			m = append(make([]byte, rng.IntN(600)), m...)
		case 1:
			m = append([]byte(noise(rng.IntN(3000))), m...)
		case 2:
			m = flip(m, rng.IntN(len(m)))
		case 3:
			m = m[:rng.IntN(len(m))]
		case 4:
			cut := rng.IntN(len(body))
			m = append(compress(arcRecordWith(url, fmt.Sprint(len(body)), body[:cut])), compress(body[cut:]+"\n")...)
		case 5:
			length := []string{"5", "100000", "2000000", "1000000000000000000", "-1"}[rng.IntN(5)]
			m = compress(arcRecordWith(url, length, body) + "\n")
		case 6:
			m = compress("\n" + arcRecordWith(url, fmt.Sprint(len(body)), body))
		}
		b = append(b, m...)
	}
	return b
}

// TestARCPartitions checks that ARC files can be cut into items as WARC files can,
// including damaged files and files that contain ARC files.
func TestARCPartitions(t *testing.T) {
	plain := func(s string) []byte { return []byte(s) }
	var crawl, nested strings.Builder
	crawl.WriteString(arcVersion)
	nested.WriteString(arcVersion)
	for i := range 30 {
		crawl.WriteString(arcPage(fmt.Sprint("http://a/", i)))
		if i%10 == 0 {
			nested.WriteString(arcRecord(fmt.Sprint("http://outer/", i), "HTTP/1.1 200 OK\r\n\r\n"+arcVersion+strings.Repeat(arcPage("http://inner/"), 20)))
		}
	}
	for name, file := range map[string][]byte{
		"plain": plain(crawl.String()), "one member": gz(crawl.String()), "members of 300 bytes": inMembers(crawl.String(), 300),
		"arcs within an arc": plain(nested.String()),
	} {
		t.Run(name, func(t *testing.T) {
			foreign, reruns := checkPartitions(t, bytes.NewReader(file), 30, Options{})
			if name == "arcs within an arc" && (foreign == 0 || reruns == 0) {
				t.Error("no scan was led astray: the test shows nothing")
			}
		})
	}
	for seed := range uint64(10) {
		for name, compress := range map[string]func(string) []byte{"plain": plain, "gzip": gz} {
			t.Run(fmt.Sprintf("dirty %s %d", name, seed), func(t *testing.T) {
				checkPartitions(t, bytes.NewReader(dirtyARC(rand.New(rand.NewPCG(seed, 2)), 40, compress)), 10, Options{})
			})
		}
	}
}

// TestARCDamage checks that damage affects only the record in which it lies.
func TestARCDamage(t *testing.T) {
	a, b, c := arcPage("http://a/"), arcPage("http://b/"), arcPage("http://c/")
	for _, d := range []struct {
		name string
		file []byte
		want string
		code []Code
	}{
		{"length too long", join(arcVersion, arcRecordWith("http://a/", "9999", "x\n"), b, c), "http://a/ http://b/ http://c/", []Code{LengthLong}},
		{"length too long for any file", join(arcVersion, arcRecordWith("http://a/", "9223372036854775807", "x\n"), b, c), "http://a/ http://b/ http://c/", []Code{LengthLong}},
		{"length too short", join(arcVersion, arcRecordWith("http://a/", "2", "xyzzy\n\n"), b, c), "http://a/ http://b/ http://c/", []Code{LengthShort}},
		{"no length", join(arcVersion, arcRecordWith("http://a/", "-1", "xyzzy\n\n"), b, c), "http://a/ http://b/ http://c/", []Code{LengthBad}},
		{"cut", join(arcVersion, a, b[:len(b)-20]), "http://a/ http://b/", []Code{Truncated}},
		{"cut in gzip", join(gz(arcVersion), gz(a), gz(b)[:60]), "http://a/ http://b/", []Code{Truncated, UnitTruncated}},
		{"member without its first bytes", join(gz(arcVersion), gz(a)[20:], gz(b), gz(c)), "http://b/ http://c/", []Code{Gap}},
		{"first member damaged", join(flip(gz(arcVersion), 14), gz(a), gz(b)), "http://a/ http://b/", nil},
		{"without version block", join(a, b), "http://a/ http://b/", nil},
		{"garbage between", join(arcVersion, a, strings.Repeat("garbage 1 2 3 4\n", 50), b), "http://a/ http://b/", []Code{Gap}},
		{"garbage before", join(strings.Repeat("garbage 1 2 3 4\n", 50), a, b), "http://a/ http://b/", []Code{Gap}},
		{"garbage before gzip", join(strings.Repeat("garbage 1 2 3 4\n", 50), gz(a), gz(b)), "http://a/ http://b/", []Code{Gap}},
		{"line beyond the limit", join(a, arcPage("http://x/"+strings.Repeat("x", maxARCLine)), b), "http://a/ http://b/", []Code{Gap}},
		{"WARC file among the pages", join(a, arcRecord("http://w/", page("http://inner/")), b), "http://a/ http://w/ http://b/", nil},
	} {
		t.Run(d.name, func(t *testing.T) {
			recs, s := readAll(t, bytes.NewReader(d.file), Options{})
			var got []string
			for _, r := range recs {
				if r.typ != TypeWarcinfo {
					got = append(got, r.uri)
				}
			}
			if strings.Join(got, " ") != d.want {
				t.Errorf("got %v, want %s, defects %v", got, d.want, s.Defects)
			}
			for _, code := range d.code {
				if s.Defects[code] == 0 {
					t.Errorf("no %s in %v", code, s.Defects)
				}
			}
		})
	}
}

// TestRealARCAndWARC checks that the responses of the same crawl are equal in both formats.
func TestRealARCAndWARC(t *testing.T) {
	dir, _ := shared(t)
	for arc, warc := range map[string]string{
		"crawls/aut-example.arc.gz":             "crawls/aut-example.warc.gz",
		"crawls/IAH-blackbook-truncated.arc":    "crawls/IAH-blackbook-truncated.warc",
		"crawls/IAH-blackbook-truncated.arc.gz": "crawls/IAH-blackbook-truncated.warc.gz",
	} {
		read := func(name string) (pages []string, s Summary) {
			recs, s := readAll(t, openShared(t, dir, name), Options{Name: name})
			for _, r := range recs {
				if r.typ == TypeResponse && strings.HasPrefix(r.uri, "http") {
					pages = append(pages, fmt.Sprintf("%s %x", r.uri, r.sum))
				}
			}
			return pages, s
		}
		got, s := read(arc)
		want, _ := read(warc)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || len(got) == 0 || len(s.Defects) > 0 {
			t.Errorf("%s: %d responses, %d in %s, defects %v", arc, len(got), len(want), warc, s.Defects)
		}
	}
}
