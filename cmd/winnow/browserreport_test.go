package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/ulikunitz/xz"
)

// checkTables sorts every table of a report by each of its columns in both directions, and
// filters its rows.
func (b *tab) checkTables(least int) {
	b.t.Helper()
	var result struct {
		Tables, Columns, Filters int
		Wrong                    []string
	}
	text := ask[string](b, `(() => {
		const result = {Tables: 0, Columns: 0, Filters: 0, Wrong: []};
		const number = (text) => /^[-+]?[.\d]/.test(text) ? parseFloat(text) : NaN;
		for (const table of document.querySelectorAll("table")) {
			const buttons = [...table.querySelectorAll("thead button.sort")];
			if (buttons.length === 0 || !table.checkVisibility()) continue;
			result.Tables++;
			const name = () => (table.closest("[aria-label]") || table).getAttribute("aria-label");
			for (const button of buttons) {
				const th = button.closest("th");
				result.Columns++;
				const seen = new Set();
				for (const click of [1, 2]) {
					button.click();
					const direction = th.getAttribute("aria-sort");
					seen.add(direction);
					for (const body of table.tBodies) {
						const texts = [...body.rows].filter((r) => !r.querySelector(".set")).map((r) => r.cells[th.cellIndex] ? r.cells[th.cellIndex].textContent.replace(/\u202f/g, "").trim() : "");
						const figures = texts.map(number);
						for (let i = 1; i < texts.length; i++) {
							const [a, c] = direction === "ascending" ? [i - 1, i] : [i, i - 1];
							const known = !isNaN(figures[i - 1]) && !isNaN(figures[i]);
							// Cells without a figure are last in both directions.
							const right = known ? figures[a] <= figures[c] : isNaN(figures[i]) && (!isNaN(figures[i - 1]) || texts[a].localeCompare(texts[c]) <= 0);
							if (!right) { result.Wrong.push(name() + ", " + th.textContent + ", " + direction + ": " + texts[i - 1] + " before " + texts[i]); break; }
						}
					}
				}
				if (!(seen.has("ascending") && seen.has("descending"))) result.Wrong.push(name() + ", " + th.textContent + ": directions " + [...seen].join());
			}
		}
		for (const input of document.querySelectorAll(".filter input")) {
			const after = input.closest(".filter").nextElementSibling;
			const table = after.matches("table") ? after : after.querySelector("table");
			const rows = [...table.tBodies].flatMap((t) => [...t.rows]).filter((r) => !r.querySelector(".set"));
			const word = rows[rows.length >> 1].cells[0].textContent.trim().toLowerCase().split(/\s+/)[0];
			const type = (text) => { input.value = text; input.dispatchEvent(new Event("input")); };
			type(word);
			if (rows.some((r) => r.hidden === r.textContent.toLowerCase().includes(word))) result.Wrong.push("filter " + word);
			type("no row says this");
			if (rows.some((r) => !r.hidden)) result.Wrong.push("a filter leaves rows that do not fit");
			type("");
			if (rows.some((r) => r.hidden)) result.Wrong.push("an empty filter hides rows");
			result.Filters++;
		}
		return JSON.stringify(result);
	})()`)
	if err := json.Unmarshal([]byte(text), &result); err != nil {
		b.t.Fatal(err)
	}
	if result.Tables < least || result.Columns < 2*least || result.Filters == 0 {
		b.t.Errorf("%d tables of %d columns sort, %d filters; want %d tables", result.Tables, result.Columns, result.Filters, least)
	}
	for _, wrong := range result.Wrong[:min(len(result.Wrong), 10)] {
		b.t.Error(wrong)
	}
}

// openAll opens what is folded, all columns of tables among it.
func (b *tab) openAll() {
	b.t.Helper()
	// What is opened has parts that can be opened, too.
	const open = `(() => { document.querySelectorAll("details:not([open])").forEach((d) => { d.open = true; }); return true; })()`
	for range 3 {
		ask[bool](b, open)
		ask[bool](b, `new Promise((done) => setTimeout(() => done(true), 50))`, chromedp.EvalAwaitPromise)
	}
}

// checkFigures checks that all visible figures are drawn, at this width and at that of a
// phone, where none is cut off or has letters too small to read.
func (b *tab) checkFigures(least int) {
	b.t.Helper()
	defer b.do(chromedp.EmulateViewport(1440, 900))
	for _, width := range []int64{390, 1440} {
		b.do(chromedp.EmulateViewport(width, 900))
		ask[bool](b, `new Promise((done) => setTimeout(() => done(true), 100))`, chromedp.EvalAwaitPromise) // the page draws again
		var result struct {
			Drawn int
			Wrong []string
		}
		text := ask[string](b, `(() => {
			const result = {Drawn: 0, Wrong: []};
			for (const figure of document.querySelectorAll("figure")) {
				if (!figure.checkVisibility()) continue;
				const name = figure.querySelector("h3, figcaption").textContent;
				const drawings = [...figure.querySelectorAll(".draw svg")].filter((s) => s.checkVisibility());
				if (drawings.length !== 1) { result.Wrong.push(name + ": " + drawings.length + " drawings"); continue; }
				const svg = drawings[0], box = svg.getBoundingClientRect(), draw = svg.parentElement;
				if (box.width < 100 || svg.querySelectorAll("path, circle, rect").length < 4) result.Wrong.push(name + ": not drawn");
				if (draw.scrollWidth > draw.clientWidth) result.Wrong.push(name + ": cut off, " + draw.scrollWidth + " of " + draw.clientWidth);
				const letters = 12 * box.width / svg.viewBox.baseVal.width;
				if (letters < 9) result.Wrong.push(name + ": letters of " + letters.toFixed(1) + " pixels");
				for (const text of svg.querySelectorAll("text")) {
					const r = text.getBoundingClientRect();
					if (r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1 || r.bottom > box.bottom + 1) { result.Wrong.push(name + ": the text " + text.textContent + " is cut off"); break; }
				}
				result.Drawn++;
			}
			return JSON.stringify(result);
		})()`)
		if err := json.Unmarshal([]byte(text), &result); err != nil {
			b.t.Fatal(err)
		}
		if result.Drawn < least {
			b.t.Errorf("%d pixels: %d figures are drawn, want %d", width, result.Drawn, least)
		}
		for _, w := range result.Wrong[:min(len(result.Wrong), 10)] {
			b.t.Errorf("%d pixels: %s", width, w)
		}
	}
}

// checkAnchors checks that every link within the page has a target.
func (b *tab) checkAnchors() {
	b.t.Helper()
	b.want(`document.querySelectorAll('a[href^="#"]').length > 3 && [...document.querySelectorAll('a[href^="#"]')].every((a) => document.getElementById(a.hash.slice(1)))`)
}

// roles returns the names of the elements of each role as a screen reader is told them.
func (b *tab) roles() map[string][]string {
	b.t.Helper()
	tree, err := chromedp.Call(b.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		b.t.Fatal(err)
	}
	names := map[string][]string{}
	for _, node := range tree.Nodes {
		if node.Ignored || node.Role == nil || node.Name == nil {
			continue
		}
		var role, name string
		if json.Unmarshal(node.Role.Value, &role) == nil && json.Unmarshal(node.Name.Value, &name) == nil {
			names[role] = append(names[role], strings.Join(strings.Fields(name), " "))
		}
	}
	return names
}

// TestReportIsReadAloudInABrowser asks Chromium what it tells a screen reader about the
// table of a package: rank, interval and groups are columns of their own with a name, and
// extractors name their rows.
func TestReportIsReadAloudInABrowser(t *testing.T) {
	open := newBrowser(t)
	b := open("file://" + filepath.Join(ran(t, "--extractors", "plain,bte,density", "--scorers", "vec", "../../examples/crawl.warc.gz"), "report.html"))
	b.openAll()
	names := b.roles()
	for _, want := range []string{"extractor", "rank", "vec", "95 % interval from", "95 % interval to", "groups"} {
		if !slices.ContainsFunc(names["columnheader"], func(name string) bool { return strings.TrimRight(name, " ↕↑↓") == want }) {
			t.Errorf("no column is called %q: %q", want, names["columnheader"])
		}
	}
	for _, want := range []string{"plain", "bte", "density"} {
		if !slices.Contains(names["rowheader"], want) {
			t.Errorf("no row is called %q: %q", want, names["rowheader"])
		}
	}
	drawings := 0
	for _, name := range append(names["image"], names["img"]...) {
		if name == "Accuracy and speed: vec" {
			drawings++
		}
	}
	if packages := ask[int](b, `document.querySelectorAll("section[data-package]").length`); drawings != packages {
		t.Errorf("%d drawings are told of, for %d packages", drawings, packages)
	}
	if len(names["main"]) != 1 || len(names["table"]) < 3 || !slices.Contains(names["navigation"], "Contents") {
		t.Errorf("main %q, tables %q, navigation %q", names["main"], names["table"], names["navigation"])
	}
}

// TestReportWithoutScriptsInABrowser opens a report where scripts are off: the tables are
// there, and no control that does nothing.
func TestReportWithoutScriptsInABrowser(t *testing.T) {
	open := newBrowser(t)
	out := ran(t, "--extractors", "plain,bte,density", "--scorers", "vec,str", "../../examples/crawl.warc.gz")
	b := open("about:blank")
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate("file://" + filepath.Join(out, "report.html")))
	b.want(`document.querySelectorAll("button.sort, .filter, .save").length === 0`)
	b.want(`!document.getElementById("theme").checkVisibility()`)
	b.want(`document.querySelectorAll(".board tbody tr").length >= 15 && document.querySelectorAll(".heat td").length > 20`)
	b.run(`document.querySelector(".columns").open = true`)
	b.want(`[...document.querySelector(".board").querySelectorAll(".more")].every((c) => c.checkVisibility())`)
	b.checkAnchors()
}

// TestReportOnPaperInABrowser looks at the print style: nothing scrolls, and what only a
// screen needs is left out.
func TestReportOnPaperInABrowser(t *testing.T) {
	open := newBrowser(t)
	b := open("file://" + filepath.Join(ran(t, "--extractors", "plain,bte,density", "--scorers", "vec,str", "../../examples/crawl.warc.gz"), "report.html"))
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	b.want(`[...document.querySelectorAll(".columns, .save, .filter, .skip, nav")].every((e) => !e.checkVisibility())`)
	b.want(`[...document.querySelectorAll(".wide, .draw")].every((e) => getComputedStyle(e).overflow === "visible" && getComputedStyle(e).maxHeight === "none")`)
	b.want(`[...document.querySelectorAll("thead th, tbody th")].every((e) => getComputedStyle(e).position === "static")`)
	paper, err := chromedp.Run(b.ctx, chromedp.PrintToPDF())
	if err != nil || !bytes.HasPrefix(paper, []byte("%PDF-")) || len(paper) < 40_000 {
		t.Errorf("printed: %d bytes (%v)", len(paper), err)
	}
	if folder := os.Getenv("WINNOW_SCREENSHOTS"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, "print.pdf"), paper, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// sample unpacks the first documents of a gold package into a folder of its name.
func sample(t *testing.T, archive, into string, documents int) string {
	t.Helper()
	file, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	inflated, err := xz.NewReader(bufio.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	folder := ""
	for r := tar.NewReader(inflated); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return folder
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		name := path.Base(h.Name)
		if name != "package.json" {
			id := strings.TrimSuffix(strings.TrimSuffix(name, path.Ext(name)), ".gold")
			if !ids[id] && len(ids) == documents {
				continue
			}
			ids[id] = true
		}
		folder = filepath.Join(into, path.Dir(h.Name))
		data, err := io.ReadAll(r)
		if err == nil {
			err = os.MkdirAll(folder, 0o777)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestRealPackagesInABrowser opens the report of a run of all extractors and all scorers over
// all gold packages, a few pages of each, and follows its links into the inspector. The
// variable WINNOW_BROWSER_OUT names the output folder of another run to look at, such as one
// over whole packages.
func TestRealPackagesInABrowser(t *testing.T) {
	shared, out := os.Getenv("WINNOW_SHARED"), os.Getenv("WINNOW_BROWSER_OUT")
	if out == "" && shared == "" {
		t.Skip("all methods on all gold packages: '.ci/run nightly' does that, where WINNOW_SHARED names packages")
	}
	open := newBrowser(t)
	if out == "" {
		archives, err := filepath.Glob(filepath.Join(shared, "packages", "*.tar.xz"))
		if err != nil || len(archives) < 8 {
			t.Fatalf("packages: %q, %v", archives, err)
		}
		args := []string{"--extractors", "all", "--scorers", "all"}
		folder := t.TempDir()
		for _, archive := range archives {
			args = append(args, sample(t, archive, folder, 4))
		}
		out = ran(t, args...)
	}
	file := filepath.Join(out, "report.html")
	page, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("report.html has %d bytes", page.Size())
	if page.Size() >= 2_000_000 {
		t.Errorf("report.html has %d bytes, want less than 2,000,000", page.Size())
	}
	b := open("file://" + file)
	packages := ask[int](b, `document.querySelectorAll("section[data-package]").length`)
	if packages < 9 {
		t.Errorf("%d packages are shown, want 8 and all together", packages)
	}
	b.openAll()
	b.checkFigures(packages + packages/2) // where another scorer ranks, there is no distribution
	b.checkAnchors()
	b.checkTables(2 * packages)
	b.accessible("all packages")
	b.shoot("all-packages")
	b.quiet()

	home := served(t, out, "127.0.0.1:0")
	b = open(home)
	links := ask[[]string](b, `(() => {
		const first = {};
		for (const a of document.querySelectorAll('a[href^="page?"]')) first[new URL(a.href).searchParams.get("package")] ??= a.href;
		return Object.values(first);
	})()`)
	if len(links) < packages-1 {
		t.Errorf("links lead to pages of %d packages: %q", len(links), links)
	}
	for i, link := range links {
		address, err := url.Parse(link)
		if err != nil {
			t.Fatal(err)
		}
		b := open(link)
		want := address.Query().Get("doc") + " of " + address.Query().Get("package")
		if got := ask[string](b, `document.querySelector("h1").textContent`); got != want {
			t.Errorf("the link of %s leads to %s", want, got)
		}
		b.want(`document.querySelectorAll("tr[data-method]").length >= 50`)
		b.want(`["iwptd", "sst", "text-hash"].every((name) => document.querySelector("tr[data-method=" + name + "]"))`)
		b.checkFigures(0)
		if i < 3 {
			b.accessible(want)
			b.shoot(fmt.Sprint("page-", i))
		}
		b.expectRefused()
		b.quiet()
	}
}
