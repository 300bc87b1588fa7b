package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// render writes the tables into a page, between the lines
//
//	<!-- scale NAME -->
//	<!-- end -->
func render(page string, f figures) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	out, err := f.into(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	if bytes.Equal([]byte(out), text) {
		return nil
	}
	return os.WriteFile(page, []byte(out), 0o666)
}

const (
	begin = "<!-- scale "
	end   = "<!-- end -->"
)

// into returns a page with its tables.
func (f figures) into(text string) (string, error) {
	m, err := build(f)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, begin)
		out.WriteString(before)
		if !ok {
			return out.String(), nil
		}
		name, rest, named := strings.Cut(rest, " -->\n")
		_, rest, ended := strings.Cut(rest, end)
		if !named || !ended {
			return "", errors.New("a table has no end")
		}
		make, ok := tables[name]
		if !ok {
			return "", fmt.Errorf("there is no table %q", name)
		}
		out.WriteString(begin + name + " -->\n\n")
		make(f, m).write(&out)
		out.WriteString("\n" + end)
		text = rest
	}
}

// table is rows of cells; the first is the head.
type table [][]string

func (t *table) row(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		switch c := c.(type) {
		case float64:
			row[i] = figure(c)
		case int64:
			row[i] = grouped(c)
		case int:
			row[i] = grouped(int64(c))
		default:
			row[i] = fmt.Sprint(c)
		}
	}
	*t = append(*t, row)
}

func (t table) write(b *strings.Builder) {
	for i, row := range t {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|---" + strings.Repeat("|---:", len(row)-1) + "|\n")
		}
	}
}

// tables are the tables of the page by their names.
var tables = map[string]func(figures, *model) table{
	"cpu": func(f figures, _ *model) (t table) {
		t.row("run", "pages", "files", "items", "input MB", "ingest s", "workers s", "aggregator s", "broker s")
		for _, r := range f {
			t.row(names[r.Kind], r.Pages, r.Files, r.Items, float64(r.Input)/1e6, r.cpu("ingest"), r.cpu("worker"), r.cpu("aggregate"), r.cpu("broker"))
		}
		return t
	},
	"memory": func(f figures, _ *model) (t table) {
		t.row("run", "pages", "items", "ingest MiB", "worker MiB", "aggregator MiB", "broker MiB")
		for _, r := range f {
			mib := func(name string) int64 { return r.Processes[name].Memory >> 20 }
			t.row(names[r.Kind], r.Pages, r.Items, mib("ingest"), mib("worker"), mib("aggregate"), mib("broker"))
		}
		return t
	},
	"requests": func(f figures, _ *model) (t table) {
		t.row("run", "pages", "items", "ingest GET", "worker GET", "worker PUT", "aggregator GET", "aggregator PUT", "aggregator DELETE", "aggregator LIST")
		for _, r := range f {
			w, a := r.Requests["worker"], r.Requests["aggregate"]
			t.row(names[r.Kind], r.Pages, r.Items, r.Requests["ingest"].Gets, w.Gets, w.Puts, a.Gets, a.Puts, a.Deletes, a.Lists)
		}
		return t
	},
	"bytes": func(f figures, _ *model) (t table) {
		t.row("run", "pages", "items", "read by workers, per byte of input", "shards, bytes a page", "read by aggregator, per byte of shards", "output, bytes a page")
		for _, r := range f {
			w, a, pages := r.Requests["worker"], r.Requests["aggregate"], float64(r.Pages)
			t.row(names[r.Kind], r.Pages, r.Items, float64(w.Read)/float64(r.Input), float64(w.Written)/pages, float64(a.Read)/float64(w.Written), float64(r.Output)/pages)
		}
		return t
	},
	"messages": func(f figures, _ *model) (t table) {
		t.row("run", "pages", "items", "messages", "an item", "kB", "bytes an item", "broker's store, kB", "bytes an item")
		for _, r := range f {
			items := float64(r.Items)
			t.row(names[r.Kind], r.Pages, r.Items, r.Messages, float64(r.Messages)/items, float64(r.Traffic)/1e3, float64(r.Traffic)/items, float64(r.Stored)/1e3, float64(r.Stored)/items)
		}
		return t
	},
	"manifest": func(f figures, _ *model) (t table) {
		t.row("run", "pages", "files", "items", "parts", "run.json kB", "plan, bytes a file", "parts, bytes an item")
		for _, r := range f {
			t.row(names[r.Kind], r.Pages, r.Files, r.Items, r.Manifest.Parts, float64(r.Manifest.Bytes)/1e3, float64(r.Manifest.FileBytes)/float64(r.Files), float64(r.Manifest.PartBytes)/float64(r.Items))
		}
		return t
	},
	"model": func(_ figures, m *model) (t table) {
		t.row("cost", "fixed", "an item", "a small page", "a real page")
		for _, name := range append(programs[:len(programs):len(programs)], "broker") {
			l, real := m.cpu[name], "as small"
			switch name {
			case "worker":
				real = figure(m.workerByte*1e6*1e3) + " ms a MB of input"
			case "aggregate":
				real = figure(m.mergePage * 1e6)
			}
			t.row(name+", CPU: s fixed, ms an item, µs a page", l.Fixed, l.Item*1e3, l.Page*1e6, real)
		}
		t.row("messages", m.messages.Fixed, m.messages.Item, m.messages.Page, "as small")
		t.row("bytes of messages", m.traffic.Fixed, m.traffic.Item, m.traffic.Page, "as small")
		t.row("bytes of run.json", m.manifest.Fixed, m.manifest.Item, m.manifest.Page, "as small")
		t.row("bytes of output", "", "", "", m.outputPage)
		return t
	},
	"check": func(f figures, m *model) (t table) {
		t.row("run", "pages", "items", "worker s", "model", "aggregator s", "model", "broker s", "model", "messages", "model", "run.json kB", "model")
		for _, r := range f {
			if r.Kind == crawlKind || f.fitted(r) {
				continue
			}
			i, p := float64(r.Items), float64(r.Pages)
			t.row(names[r.Kind], r.Pages, r.Items, r.cpu("worker"), m.cpu["worker"].at(i, p), r.cpu("aggregate"), m.cpu["aggregate"].at(i, p),
				r.cpu("broker"), m.cpu["broker"].at(i, p), r.Messages, int64(m.messages.at(i, p)), float64(r.Manifest.Bytes)/1e3, m.manifest.at(i, p)/1e3)
		}
		return t
	},
	"month": func(_ figures, m *model) (t table) {
		n := m.need(month)
		t.row("workers of one core", "hours", "limit", "extraction, h", "one aggregator, h", "broker, h", "input GB/s", "requests/s", "aggregators that keep up")
		for _, w := range []int{1, 100, 1000} {
			s := n.with(w)
			seconds := s.Hours * 3600
			t.row(w, s.Hours, s.Limit, s.Extract, s.Merge, s.Deliver, month.Bytes/seconds/1e9, (n.Gets+n.Puts)/seconds, s.Aggregators)
		}
		return t
	},
	"money": func(_ figures, m *model) (t table) {
		n := m.need(month)
		p := n.price()
		t.row("of a month of Common Crawl", "amount", "US dollars")
		t.row("extraction, core-hours", n.Workers/3600, n.Workers/3600*coreHour)
		t.row("ingest, aggregator and broker, core-hours", (n.Ingest+n.Aggregator+n.Broker)/3600, (n.Ingest+n.Aggregator+n.Broker)/3600*coreHour)
		t.row("requests: PUT, LIST and GET, millions", (n.Puts+n.Gets)/1e6, p.Requests)
		t.row("output for a month, GB", n.Output/1e9, p.Output)
		t.row("together", "", p.Cores+p.Requests+p.Output)
		t.row("run.json of a single run, MB at most", n.Manifest/1e6, "")
		t.row("broker's store if nothing is done yet, MB", m.stored.at(month.Items, 0)/1e6, "")
		return t
	},
}

// names of the kinds in tables.
var names = map[kind]string{pagesKind: "many pages a file", filesKind: "one page a file", mixedKind: "100 pages a file", crawlKind: "real pages"}

// fitted reports whether the model was made of a result.
func (f figures) fitted(r *result) bool {
	all := f.of(r.Kind)
	return (r.Kind == pagesKind || r.Kind == filesKind) && (r == all[0] || r == all[len(all)-1])
}

func (r *result) cpu(name string) float64 { return r.Processes[name].CPU }

// figure formats a number with three digits that count.
func figure(v float64) string {
	switch {
	case v >= 1000:
		return grouped(int64(v + 0.5))
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// grouped formats a number with commas between thousands.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
