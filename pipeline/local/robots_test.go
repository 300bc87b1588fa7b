package local

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/pipeline/learn/robots"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/recipe/keep"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
)

// response is a record of an archive.
type response struct {
	url, status, media, body string
	day                      int
}

// archived writes responses to a file of gzip members, or to one of a single member.
func archived(t *testing.T, file string, whole bool, list []response) {
	t.Helper()
	var members bytes.Buffer
	w := write.NewWriter(&members)
	for i, r := range list {
		fields := []write.Field{{Name: "Content-Type", Value: r.media}}
		body := []byte(r.body)
		if r.media == "text/plain" { // as servers send it
			var out bytes.Buffer
			z := gzip.NewWriter(&out)
			z.Write(body)
			z.Close()
			fields, body = append(fields, write.Field{Name: "Content-Encoding", Value: "gzip"}), out.Bytes()
		}
		block, err := write.HTTPResponse(r.status, fields, body)
		if err == nil {
			err = w.Write(&write.Record{Type: "response", ID: write.ID(file, fmt.Sprint(i)), Date: time.Date(2025, 1, 1+r.day, 12, 0, 0, 0, time.UTC), TargetURI: r.url,
				ContentType: "application/http; msgtype=response", Block: block})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	data := members.Bytes()
	if whole {
		r, err := gzip.NewReader(&members)
		if err != nil {
			t.Fatal(err)
		}
		if data, err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		z.Write(data)
		z.Close()
		data = out.Bytes()
	}
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// hosts returns pages of hosts, and the files that say what may be done with them.
func hosts() (pages, files []response) {
	page := func(url string, day int) {
		pages = append(pages, response{url, "200 OK", "text/html", "<p>" + strings.Repeat("Grain and the wind at "+url+". ", 9), day})
	}
	for day := range 30 {
		page(fmt.Sprintf("https://changes.example/%d", day), day)
	}
	for n := range 20 {
		page(fmt.Sprintf("http://paths.example/open/%d", n), 9)
		page(fmt.Sprintf("http://paths.example/closed/%d?x", n), 9)
		page(fmt.Sprintf("http://paths.example:8080/closed/%d", n), 9)
	}
	page("http://failing.example/", 9)
	page("http://missing.example/", 9)
	page("http://moved.example/", 9)
	page("http://none.example/", 9)
	page("https://mined.example/a/", 9)
	page("https://mined.example/b/", 9)
	file := func(url, status, body string, day int) {
		files = append(files, response{url, status, "text/plain", body, day})
	}
	file("https://changes.example/robots.txt", "200 OK", "User-agent: *\nAllow: /\n", 5)
	file("https://changes.example/robots.txt", "200 OK", "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nContent-Signal: ai-train=no\n", 10)
	file("https://changes.example/robots.txt", "404 Not Found", "Disallow: everything", 20)
	file("http://paths.example/robots.txt", "200 OK", "User-agent: *\nDisallow: /closed\nContent-Usage: /open/1 train-ai=n\n", 9)
	file("http://failing.example/robots.txt", "503 Service Unavailable", "", 9)
	file("http://missing.example/robots.txt", "404 Not Found", "", 9)
	file("http://moved.example/robots.txt", "301 Moved Permanently", "User-agent: *\nDisallow: /\n", 9)
	file("https://mined.example/.well-known/tdmrep.json", "200 OK", `[{"location":"/a/","tdm-reservation":1,"tdm-policy":"/terms"}]`, 9)
	files = append(files, response{"http://none.example/sub/robots.txt", "200 OK", "text/plain", "User-agent: *\nDisallow: /\n", 9})
	return pages, files
}

// reading returns the options of a run that reads the files of hosts for two robots.
func reading(t *testing.T, out, in string) Options {
	t.Helper()
	opt := options(out, in, "r")
	x, err := choose.Extractors(opt.Extract.Extractors, "plain")
	if err != nil {
		t.Fatal(err)
	}
	r := &opt.Plan.Recipe
	r.Extractors, _ = recipe.Methods(x, nil)
	r.Scorers = nil
	agents, err := robots.NewAgents([]string{"GPTBot", "examplebot"})
	if err != nil {
		t.Fatal(err)
	}
	r.Learn = template.Settings(x, agents...)
	filter, err := keep.New([]string{keep.RespectOptOut, keep.RespectRobots}, r.Facts)
	if err != nil {
		t.Fatal(err)
	}
	r.Keep = filter.String()
	return opt
}

// said returns what the tables say of the use of each page, and whether its text is kept.
func said(t *testing.T, outs ...string) map[string]string {
	t.Helper()
	rows := map[string]string{}
	for _, out := range outs {
		_, m := finished(t, out)
		eachPage(t, out, func(p *schemas.Page) {
			var line []string
			i := 0
			for _, f := range m.Run.Recipe.Facts {
				for _, c := range f.Pages {
					switch v := p.Facts[i]; c.Name {
					case "robots_allows", "robots_disallows", "content_usage", "content_signal", "tdm_policy":
						if v.Known {
							line = append(line, c.Name+"="+v.Text)
						}
					case "train_ai_reserved", "tdm_reservation":
						if v.Known {
							line = append(line, fmt.Sprint(c.Name, "=", v.Bool()))
						}
					}
					i++
				}
			}
			rows[p.URL] = strings.Join(line, " ")
		})
		eachDocument(t, out, func(d *schemas.Document) { rows[d.URL] += fmt.Sprint(" kept=", d.Kept == schemas.Yes) })
	}
	return rows
}

// TestFilesOfHosts checks that robots.txt and tdmrep.json count for the pages of their hosts as
// of their days, however the archives are cut and packed, whatever file they are in.
func TestFilesOfHosts(t *testing.T) {
	pages, files := hosts()
	in := t.TempDir()
	archived(t, filepath.Join(in, "pages.warc.gz"), false, pages)
	archived(t, filepath.Join(in, "robotstxt.warc.gz"), false, files)
	out := t.TempDir()
	mustRun(t, reading(t, out, in))
	got := said(t, out)
	const both, notGPT = "robots_allows=examplebot,gptbot kept=true", "content_signal=ai-train=no train_ai_reserved=true robots_allows=examplebot robots_disallows=gptbot kept=false"
	for url, want := range map[string]string{
		"https://changes.example/0": both, "https://changes.example/9": both, "https://changes.example/10": notGPT, "https://changes.example/19": notGPT,
		"https://changes.example/20": both, "https://changes.example/29": both,
		"http://paths.example/open/0":        both,
		"http://paths.example/open/12":       "content_usage=train-ai=n train_ai_reserved=true robots_allows=examplebot,gptbot kept=false",
		"http://paths.example/closed/3?x":    "robots_disallows=examplebot,gptbot kept=false",
		"http://paths.example:8080/closed/3": " kept=true",
		"http://failing.example/":            "robots_disallows=examplebot,gptbot kept=false",
		"http://missing.example/":            both,
		"http://moved.example/":              " kept=true",
		"http://none.example/":               " kept=true",
		"https://mined.example/a/":           "tdm_reservation=true tdm_policy=/terms kept=false",
		"https://mined.example/b/":           " kept=true",
	} {
		if got[url] != want {
			t.Errorf("%s: %q, want %q", url, got[url], want)
		}
	}
	if _, m := finished(t, out); fmt.Sprint(m.Run.Phases) != "[scan learn extract]" || m.Templates.Sites != 0 || m.Templates.Statuses["ok"] != 5 {
		t.Errorf("phases %v, %+v", m.Run.Phases, m.Templates)
	}

	for name, whole := range map[string]bool{"three workers, many items": false, "whole files": true} {
		t.Run(name, func(t *testing.T) {
			in, out := t.TempDir(), t.TempDir()
			mixed := slices.Concat(files[3:], pages, files[:3])
			slices.Reverse(mixed)
			archived(t, filepath.Join(in, "a.warc.gz"), whole, mixed[:len(mixed)/2])
			archived(t, filepath.Join(in, "b.warc.gz"), whole, mixed[len(mixed)/2:])
			opt := reading(t, out, in)
			opt.Worker.Slots, opt.Plan.ItemBytes, opt.Extract.TemplateBytes = 3, 6<<10, 1
			mustRun(t, opt)
			if again := said(t, out); !maps.Equal(again, got) {
				t.Errorf("%v\nwant\n%v", again, got)
			}
		})
	}

	// The files of an earlier run count with those of a later one.
	t.Run("an earlier run", func(t *testing.T) {
		first, second := t.TempDir(), t.TempDir()
		early, late := t.TempDir(), t.TempDir()
		archived(t, filepath.Join(early, "robotstxt.warc.gz"), false, slices.Concat(files[:1], files[3:]))
		archived(t, filepath.Join(late, "pages.warc.gz"), false, pages)
		archived(t, filepath.Join(late, "robotstxt.warc.gz"), false, files[1:3])
		mustRun(t, reading(t, first, early))
		opt := reading(t, second, late)
		if err := template.Reuse(t.Context(), opt.Blobs, &opt.Plan.Recipe, first, 0); err != nil {
			t.Fatal(err)
		}
		mustRun(t, opt)
		if again := said(t, second); !maps.Equal(again, got) {
			t.Errorf("%v\nwant\n%v", again, got)
		}
	})
}

// TestFilesAndTemplates checks that a run may learn from pages and read the files of hosts.
func TestFilesAndTemplates(t *testing.T) {
	all := sites()
	in, plain, out := packed(t, all, 2, "members"), t.TempDir(), t.TempDir()
	mustRun(t, learning(t, plain, in))
	archived(t, filepath.Join(in, "robotstxt.warc.gz"), false, []response{{"http://www.one.example/robots.txt", "200 OK", "text/plain", "User-agent: *\nDisallow: /\n", 0}})
	opt := learning(t, out, in)
	opt.Plan.Recipe.Learn.Agents = []string{"examplebot"}
	mustRun(t, opt)
	want, got := templateRows(t, plain), templateRows(t, out)
	r, ok := got["http://www.one.example robots"]
	if delete(got, "http://www.one.example robots"); !ok || r.SiteBy != robots.SiteBy || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("robots: %+v; %d other rows, want %d", r, len(got), len(want))
	}
	closed := 0
	for url, line := range said(t, out) {
		if is := strings.HasPrefix(url, "http://www.one.example/"); is != strings.Contains(line, "robots_disallows=examplebot") {
			t.Errorf("%s: %s", url, line)
		} else if is {
			closed++
		}
	}
	if closed == 0 {
		t.Error("no page is closed")
	}
}

// TestFilesOfHostsInCrawls reads real archives.
func TestFilesOfHostsInCrawls(t *testing.T) {
	shared := os.Getenv("WINNOW_SHARED")
	if shared == "" {
		t.Skip("WINNOW_SHARED is not set")
	}
	for name, want := range map[string]string{
		"nas-NAS-20100909163324.warc":              "map[robots_allows=examplebot,gptbot:6]",
		"ukwa-gov.uk-BL-20140325121225068.warc.gz": "map[robots_allows=examplebot,gptbot:31 robots_disallows=examplebot,gptbot:1]",
	} {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			opt := reading(t, out, filepath.Join(shared, "warcs/crawls", name))
			mustRun(t, opt)
			counts := map[string]int{}
			for _, line := range said(t, out) {
				line, _, _ = strings.Cut(line, " kept")
				counts[line]++
			}
			if got := fmt.Sprint(counts); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}
