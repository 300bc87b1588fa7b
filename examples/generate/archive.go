package main

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
)

// crawl writes records as a crawler does: one request every two seconds, one
// site after the other.
type crawl struct {
	w    *write.Writer
	info string // id of the warcinfo
	now  time.Time
}

// writeCrawl writes the crawl of all sites.
func writeCrawl(out io.Writer, sites []*site) error {
	c := &crawl{w: write.NewWriter(out), now: time.Date(2024, 4, 12, 6, 0, 0, 0, time.UTC)}
	if err := c.begin(); err != nil {
		return err
	}
	for _, s := range sites {
		if err := c.site(s); err != nil {
			return fmt.Errorf("site %s: %w", s.pkg, err)
		}
	}
	return nil
}

func (c *crawl) begin() error {
	c.info = write.ID("warcinfo", "example crawl")
	block, err := write.Fields([]write.Field{
		{Name: "software", Value: "winnow examples/generate"},
		{Name: "format", Value: "WARC File Format 1.1"},
		{Name: "description", Value: "Five small sites that do not exist, with gold. Texts and layouts are part of Winnow."},
		{Name: "robots", Value: "classic"},
	})
	if err != nil {
		return err
	}
	return c.w.Write(&write.Record{Type: "warcinfo", ID: c.info, Date: c.now, ContentType: "application/warc-fields", Block: block})
}

// site crawls one site: its name, robots.txt, front page and pages, and other responses
// that a crawler receives.
func (c *crawl) site(s *site) error {
	if err := c.write("response", "dns:"+hostOf(s.host), "text/dns", nil,
		[]byte(c.now.Format("20060102150405")+"\n"+hostOf(s.host)+".\t3600\tIN\tA\t192.0.2.7\n")); err != nil {
		return err
	}
	if _, err := c.fetch(s.host+"/robots.txt", "200 OK", transported{contentType: "text/plain"}, []byte("User-agent: *\nDisallow: /search\n")); err != nil {
		return err
	}
	if err := c.front(s); err != nil {
		return err
	}
	for i := range s.docs {
		p, err := s.render(i)
		if err != nil {
			return err
		}
		id, err := c.fetch(p.url, "200 OK", p.transported, p.html)
		if err != nil {
			return err
		}
		if err := c.gold(s, s.docs[i].name, p.url, id, &p.gold, s.docs[i].meta); err != nil {
			return err
		}
		if err := c.meet(s, i); err != nil {
			return err
		}
	}
	return nil
}

// front fetches the page that lists the others, and later fetches it again, unchanged.
func (c *crawl) front(s *site) error {
	body, err := s.index()
	if err != nil || body == nil {
		return err
	}
	id, err := c.fetch(s.host+"/", "200 OK", transported{contentType: "text/html; charset=utf-8"}, body)
	if err != nil {
		return err
	}
	if err := c.gold(s, "front", s.host+"/", id, nil, nil); err != nil {
		return err
	}
	head, err := write.HTTPResponse("304 Not Modified", []write.Field{{Name: "Server", Value: "nginx"}}, nil)
	if err != nil {
		return err
	}
	return c.write("revisit", s.host+"/", "application/http; msgtype=response", []write.Field{
		{Name: "WARC-Profile", Value: "http://netpreserve.org/warc/1.1/revisit/server-not-modified"},
		{Name: "WARC-Refers-To", Value: "<" + id + ">"},
	}, head)
}

// pixel is an image of one transparent pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

// meet fetches what belongs to the i-th page: images, style sheets, a dead link, a
// moved page.
func (c *crawl) meet(s *site, i int) error {
	var err error
	switch i {
	case 0:
		_, err = c.fetch(s.host+"/static/style.css", "200 OK", transported{contentType: "text/css"}, []byte("body{font:16px serif}\n"))
	case 1:
		var img []byte
		if img, err = base64.StdEncoding.DecodeString(pixel); err == nil {
			_, err = c.fetch(s.host+"/img/pixel.png", "200 OK", transported{contentType: "image/png"}, img)
		}
	case 2:
		_, err = c.fetch(s.host+"/no-such-page", "404 Not Found", transported{contentType: "text/html; charset=utf-8"},
			[]byte("<html><head><title>Not found</title></head><body><h1>This page has sailed</h1><p>Perhaps it never was.</p></body></html>"))
	case 3:
		_, err = c.fetch(s.host+"/old/index.html", "301 Moved Permanently", transported{contentType: "text/html"},
			[]byte("<html><body>Moved <a href=\"/\">here</a></body></html>"))
	}
	return err
}

// fetch writes a request and its response and returns the response's id.
func (c *crawl) fetch(url, status string, t transported, body []byte) (string, error) {
	c.now = c.now.Add(2 * time.Second)
	id := write.ID("response", url, status)
	host := hostOf(url)
	target := url[len("http://")+len(host):]
	if url[4] == 's' {
		target = url[len("https://")+len(host):]
	}
	err := c.w.Write(&write.Record{
		Type: "request", ID: write.ID("request", url), Date: c.now, TargetURI: url,
		ContentType: "application/http; msgtype=request",
		Fields:      []write.Field{{Name: "WARC-Concurrent-To", Value: "<" + id + ">"}},
		Block:       []byte("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: example-crawler/1.0\r\nAccept-Encoding: gzip\r\n\r\n"),
	})
	if err != nil {
		return "", err
	}
	header := []write.Field{
		{Name: "Date", Value: c.now.Format(time.RFC1123)},
		{Name: "Server", Value: "nginx"},
		{Name: "Content-Type", Value: t.contentType},
	}
	digest := write.Digest(body)
	if t.coding == "gzip" {
		header = append(header, write.Field{Name: "Content-Encoding", Value: "gzip"})
		body = deflate(body)
	}
	if t.chunked {
		header = append(header, write.Field{Name: "Transfer-Encoding", Value: "chunked"})
		body = chunks(body)
	} else {
		header = append(header, write.Field{Name: "Content-Length", Value: strconv.Itoa(len(body))})
	}
	block, err := write.HTTPResponse(status, header, body)
	if err != nil {
		return "", err
	}
	return id, c.w.Write(&write.Record{
		Type: "response", ID: id, Date: c.now, TargetURI: url, ContentType: "application/http; msgtype=response",
		Fields: []write.Field{
			{Name: "WARC-Warcinfo-ID", Value: "<" + c.info + ">"},
			{Name: "WARC-IP-Address", Value: "192.0.2.7"},
			{Name: "WARC-Payload-Digest", Value: digest},
		},
		Block: block,
	})
}

// gold writes the gold of the page with record id. A page has no gold text if text is
// nil.
func (c *crawl) gold(s *site, name, url, id string, text *string, meta map[string]string) error {
	g := &schemas.Gold{
		Version: schemas.GoldVersion, Package: s.pkg, ID: name, URL: url, Text: text,
		PageType: s.pageType, Language: cmp.Or(meta["language"], "en"), Title: meta["title"],
	}
	if text == nil {
		g.PageType = "listing"
	}
	return gold.WriteGold(c.w, g, id, url, c.now)
}

func (c *crawl) write(kind, uri, mediaType string, fields []write.Field, block []byte) error {
	c.now = c.now.Add(time.Second)
	return c.w.Write(&write.Record{
		Type: kind, ID: write.ID(kind, uri, c.now.String()), Date: c.now, TargetURI: uri,
		ContentType: mediaType, Fields: fields, Block: block,
	})
}

// chunks sends body in pieces, as servers do.
func chunks(body []byte) []byte {
	var out bytes.Buffer
	for len(body) > 0 {
		n := min(1800, len(body))
		fmt.Fprintf(&out, "%x\r\n%s\r\n", n, body[:n])
		body = body[n:]
	}
	out.WriteString("0\r\n\r\n")
	return out.Bytes()
}

func deflate(body []byte) []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, 6) // the level is valid
	z.Write(body)                        // a bytes.Buffer accepts all writes
	z.Close()
	return out.Bytes()
}

// hostOf returns the host of one of the sites' URLs.
func hostOf(url string) string {
	_, rest, _ := bytes.Cut([]byte(url), []byte("://"))
	host, _, _ := bytes.Cut(rest, []byte("/"))
	return string(host)
}
