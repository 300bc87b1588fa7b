package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// tab is a page in a browser. It notes what must not happen.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	requests []string // URLs that the page fetched, its own included
	refused  int      // requests that its content security policy kept back
	errors   []string // exceptions, and errors in the console
}

// newBrowser returns a function that opens tabs. It skips the test where
// WINNOW_AXE is not set or no Chromium is installed: .ci/run browser provides both, so that
// go test ./... does not do the same once more.
func newBrowser(t *testing.T) func(url string) *tab {
	t.Helper()
	if os.Getenv("WINNOW_AXE") == "" {
		t.Skip("WINNOW_AXE does not name axe-core: '.ci/run browser' installs it and runs this test")
	}
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			program = found
			break
		}
	}
	if program == "" {
		t.Skip("no Chromium is installed here: '.ci/run browser' installs one")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()))
	allocator, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	browser, end := chromedp.NewContext(allocator)
	t.Cleanup(end)
	if err := chromedp.Do(browser, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	return func(url string) *tab {
		t.Helper()
		ctx, cancel := chromedp.NewContext(browser)
		t.Cleanup(cancel)
		b := &tab{t: t, ctx: ctx}
		if err := chromedp.Listen(ctx, b.note); err != nil {
			t.Fatal(err)
		}
		if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
			t.Fatal(err)
		}
		b.do(chromedp.Navigate(url))
		return b
	}
}

func (b *tab) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *network.EventLoadingFailed:
		if e.BlockedReason == network.BlockedReasonCsp {
			b.refused++
		}
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
		b.errors = append(b.errors, text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError {
			b.errors = append(b.errors, fmt.Sprint(e.Args))
		}
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == cdplog.EntryLevelError || e.Entry.Level == cdplog.EntryLevelWarning {
			b.errors = append(b.errors, e.Entry.Text)
		}
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// ask evaluates an expression of JavaScript.
func ask[T any](b *tab, expression string, options ...chromedp.EvaluateOption) T {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, options...))
	if err != nil {
		b.t.Fatalf("%v: %s", err, expression[:min(len(expression), 300)])
	}
	return value
}

// run evaluates statements.
func (b *tab) run(statements string) {
	b.t.Helper()
	ask[bool](b, "(() => { "+statements+"; return true })()")
}

// want evaluates an expression that must be true.
func (b *tab) want(expression string) {
	b.t.Helper()
	if !ask[bool](b, "Boolean("+expression+")") {
		b.t.Errorf("not true: %s", expression)
	}
}

// expectRefused forgets what the console said of requests that a content security policy
// kept back: an inspected page asks for its fonts and pictures.
func (b *tab) expectRefused() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.errors = slices.DeleteFunc(b.errors, func(text string) bool {
		return strings.Contains(text, "violates the following Content Security Policy directive")
	})
}

// quiet checks that the page fetched nothing but itself, and that nothing went wrong.
func (b *tab) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.requests)-b.refused != 1 {
		b.t.Errorf("requests: %q, %d refused, want that of the page alone", b.requests, b.refused)
	}
	for _, e := range b.errors {
		b.t.Errorf("the console says: %s", e)
	}
}

// shoot saves screenshots at three widths, in light and in dark, if the variable
// WINNOW_SCREENSHOTS names a folder for them. A page must not be wider than the window.
func (b *tab) shoot(name string) {
	b.t.Helper()
	folder := os.Getenv("WINNOW_SCREENSHOTS")
	for _, width := range []int64{390, 820, 1440} {
		b.do(chromedp.EmulateViewport(width, 900))
		if wide := ask[int64](b, "document.documentElement.scrollWidth"); wide > width {
			b.t.Errorf("%s: the page is %d pixels wide in a window of %d", name, wide, width)
		}
		for _, theme := range []string{"light", "dark"} {
			if folder == "" {
				continue
			}
			b.run("document.documentElement.dataset.theme = '" + theme + "'")
			picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
			if err != nil {
				b.t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%d-%s.png", name, width, theme)), picture, 0o666); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	b.do(chromedp.EmulateViewport(1440, 900))
}

// accessible runs axe-core over the page, in light and in dark. The variable
// WINNOW_AXE names its file. The page's own policy forbids foreign scripts, so the
// debugger runs it. Frames run no scripts at all.
func (b *tab) accessible(name string) {
	b.t.Helper()
	axe, err := os.ReadFile(os.Getenv("WINNOW_AXE"))
	if err != nil {
		b.t.Fatal(err)
	}
	ask[bool](b, string(axe)+";true")
	for _, theme := range []string{"light", "dark"} {
		result := ask[string](b, `document.documentElement.dataset.theme = '`+theme+`';
			axe.run(document, {resultTypes: ["violations"], iframes: false}).then((r) => JSON.stringify(r.violations.map((v) => ({id: v.id, help: v.help, nodes: v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200) + " " + (n.failureSummary || "")) }))))`,
			chromedp.EvalAwaitPromise)
		var violations []struct {
			ID, Help string
			Nodes    []string
		}
		if err := json.Unmarshal([]byte(result), &violations); err != nil {
			b.t.Fatal(err)
		}
		for _, v := range violations {
			b.t.Errorf("%s, %s: %s: %s\n%s", name, theme, v.ID, v.Help, strings.Join(v.Nodes, "\n"))
		}
	}
}

// ran runs the program and returns its output folder.
func ran(t *testing.T, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	var words strings.Builder
	if code := run(t.Context(), append([]string{"run", "--run", "r", "--out", out}, args...), strings.NewReader(""), &words, &words); code != 0 {
		t.Fatalf("exit code %d: %s", code, words.String())
	}
	return out
}

// TestReportInABrowser opens the reports of real runs in Chromium.
func TestReportInABrowser(t *testing.T) {
	open := newBrowser(t)
	report := func(out string) *tab { return open("file://" + filepath.Join(out, "report.html")) }
	examples, err := filepath.Abs("../../examples/crawl.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("gold", func(t *testing.T) {
		b := report(ran(t, "--extractors", "plain,bte,density,dsc,lqf-50,ccb,winnow", "--scorers", "vec,str", examples))
		b.t = t
		b.want(`document.querySelector("h1").textContent.startsWith("winnow has the highest mean F1 by vec, 0.")`)
		b.want(`document.querySelectorAll(".cards > div").length === 4`)
		b.do(chromedp.EmulateViewport(1440, 900))
		if wide := ask[[]string](b, `[...document.querySelectorAll(".wide")].filter((w) => w.checkVisibility() && w.scrollWidth > w.clientWidth).map((w) => w.getAttribute("aria-label") + " " + w.scrollWidth + " of " + w.clientWidth)`); len(wide) > 0 {
			t.Errorf("tables scroll sideways: %q", wide)
		}
		const board = `document.querySelector("#p0").parentElement.querySelector(".board table")`

		// A click sorts, another one the other way round, and figures sort as numbers.
		column := `[...` + board + `.tBodies[0].rows].map((r) => parseFloat(r.cells[2].textContent))`
		click := board + `.tHead.rows[0].cells[2].querySelector("button").click()`
		sorted := func(sign string) string {
			return column + `.every((v, i, a) => i === 0 || ` + sign + `(v - a[i-1]) >= 0)`
		}
		b.run(click)
		b.want(sorted("-"))
		b.want(`document.querySelector("#p0").parentElement.querySelector("th[aria-sort=descending]")`)
		b.run(click)
		b.want(sorted("+"))

		// More columns are shown on demand.
		columns := `[...` + board + `.tHead.rows[0].cells].filter((c) => c.checkVisibility()).length`
		few := ask[int](b, columns)
		b.run(`document.querySelector(".columns").open = true`)
		if all := ask[int](b, columns); all < few+8 {
			t.Errorf("%d columns, and %d on demand", few, all)
		}
		b.run(`document.querySelector(".columns").open = false`)

		// A cell of the heat map opens the worst pages of its extractor.
		b.run(`document.querySelector("#p0").parentElement.querySelector(".heat td button").click()`)
		b.want(`document.querySelectorAll(".worst tbody tr").length === 5`)
		b.want(`[...document.querySelectorAll(".worst tbody tr")].map((r) => parseFloat(r.cells[2].textContent)).every((v, i, a) => i === 0 || v >= a[i-1])`)

		// Figures follow the choice of a scorer. Those of other packages are drawn when they
		// are opened.
		title := `document.querySelector("#p0").parentElement.querySelector(".plots h3").textContent`
		b.want(title + ` === "Accuracy and speed: vec"`)
		b.run(`{ const s = document.querySelector(".measure select"); s.value = "str"; s.dispatchEvent(new Event("change")); }`)
		b.want(title + ` === "Accuracy and speed: str"`)
		b.want(`document.querySelectorAll("#p0 ~ .figures circle").length === 7 && document.querySelectorAll("#p1 ~ details .figures figure").length === 0`)
		b.run(`{ const s = document.querySelector(".measure select"); s.value = "vec"; s.dispatchEvent(new Event("change")); }`)

		// What is saved is a whole drawing, and a table of its data.
		b.run(`window.saved = []; URL.createObjectURL = (blob) => { blob.text().then((text) => window.saved.push(text)); return "#"; }; [...document.querySelector("figure").querySelectorAll("button.save")].forEach((x) => x.click())`)
		if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool](`window.saved.length === 2`)); err != nil {
			t.Fatal(err)
		}
		saved := ask[[]string](b, `window.saved`)
		if !strings.HasPrefix(saved[0], "<svg xmlns=") && !strings.Contains(saved[0], `xmlns="http://www.w3.org/2000/svg"`) || !strings.Contains(saved[0], "<style") || !strings.HasPrefix(saved[1], "extractor,") || strings.Count(saved[1], "\r\n") < 7 {
			t.Errorf("saved: %q", saved)
		}
		b.openAll()
		b.checkFigures(12)
		b.checkTables(14)
		b.checkAnchors()
		b.accessible("gold")
		b.shoot("gold")
		b.quiet()
	})

	t.Run("no gold", func(t *testing.T) {
		b := report(ran(t, "--extractors", "plain,bte,density,dsc,winnow", "--scorers", "none", "--facts", "all", "--texts", "parquet", "--keep", "gopher", examples))
		b.t = t
		b.want(`document.querySelector("h1").textContent.includes("found main content on 62 of 62 pages")`)
		b.want(`document.querySelector("main section h2").id === "kept"`)
		b.want(`document.querySelectorAll(".sample").length === 10 && document.querySelectorAll(".sample .pair p").length === 20`)
		b.want(`["By site", "By language", "By type"].every((h) => [...document.querySelectorAll("h3")].some((e) => e.textContent === h))`)
		b.openAll()
		b.checkTables(5)
		b.accessible("no gold")
		b.shoot("no-gold")
		b.quiet()
	})

	t.Run("hostile", func(t *testing.T) {
		b := report(ran(t, "--extractors", "plain,bte,density", "--scorers", "vec", hostileArchive(t)))
		b.t = t
		b.want(`document.querySelectorAll("script").length === 2 && document.querySelectorAll("img, iframe, meta[http-equiv=refresh]").length === 0`)
		b.want(`document.body.textContent.includes("onerror=alert(1)")`)
		b.want(`[...document.querySelectorAll("a")].every((a) => a.getAttribute("href").startsWith("#"))`)
		b.accessible("hostile")
		b.shoot("hostile")
		b.quiet()
	})

	t.Run("all methods", func(t *testing.T) {
		shared := os.Getenv("WINNOW_SHARED")
		if shared == "" {
			t.Skip("all methods on gold packages: '.ci/run nightly' does that, where WINNOW_SHARED names packages")
		}
		var packed []string
		for _, name := range []string{"cleaneval-dev", "cleanportaleval"} {
			file := filepath.Join(t.TempDir(), name+".warc.gz")
			var words strings.Builder
			if code := run(t.Context(), []string{"pack", filepath.Join(shared, "packages", name+".tar.xz"), "-o", file}, strings.NewReader(""), &words, &words); code != 0 {
				t.Fatalf("exit code %d: %s", code, words.String())
			}
			packed = append(packed, file)
		}
		b := report(ran(t, append([]string{"--extractors", "all", "--scorers", "vec,str,shingle-4"}, packed...)...))
		b.t = t
		b.openAll()
		b.checkFigures(6)
		b.accessible("all")
		b.shoot("all")
		b.quiet()
	})
}

// TestInspectorInABrowser opens the page of one document with many methods.
func TestInspectorInABrowser(t *testing.T) {
	open := newBrowser(t)
	show := func(args ...string) *tab {
		t.Helper()
		var page, words strings.Builder
		if code := run(t.Context(), append([]string{"inspect", "--format", "html"}, args...), strings.NewReader(""), &page, &words); code != 0 {
			t.Fatalf("exit code %d: %s", code, words.String())
		}
		file := filepath.Join(t.TempDir(), "page.html")
		if err := os.WriteFile(file, []byte(page.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return open("file://" + file)
	}
	b := show("--doc", "bees-depot", "--package", "news", "--extractors", "page", "../../examples/crawl.warc.gz")
	marks := `[...document.querySelectorAll(".text mark")].map((m) => m.className + " " + m.textContent).join("|")`
	choose := func(id, value string) {
		t.Helper()
		b.run(fmt.Sprintf(`const s = document.getElementById(%q); s.value = %q; s.dispatchEvent(new Event("change"))`, id, value))
	}
	key := func(k string) {
		t.Helper()
		b.run(fmt.Sprintf(`document.dispatchEvent(new KeyboardEvent("keydown", {key: %q}))`, k))
	}
	// numbered returns the value of the option of a method.
	numbered := func(name string) string {
		t.Helper()
		return ask[string](b, fmt.Sprintf(`[...document.getElementById("method").options].find((o) => o.text === %q).value`, name))
	}
	static := ask[string](b, marks)
	if !strings.Contains(static, "both ") {
		t.Errorf("marks: %q", static)
	}
	choose("method", ask[string](b, `document.getElementById("method").value`))
	b.want(marks + ` === ` + fmt.Sprintf("%q", static)) // the script draws what the page showed before
	current := `document.querySelector("tr[aria-current]").dataset.method`
	first := ask[string](b, current)
	key("j")
	if second := ask[string](b, current); second == first {
		t.Errorf("after j the method is still %s", first)
	}
	b.want(marks + ` !== ` + fmt.Sprintf("%q", static))
	key("k")
	b.want(marks + ` === ` + fmt.Sprintf("%q", static))
	key("g")
	b.want(`document.querySelectorAll(".text mark.missed, .text mark.surplus").length === 0`)
	key("g")
	b.run(`document.querySelector("tr[data-method=density] button").click()`)
	b.want(current + ` === "density" && document.getElementById("method").selectedOptions[0].text === "density"`)
	b.want(`[...document.querySelectorAll("figure[data-curve]")].every((f) => f.hidden === (f.dataset.curve !== "density"))`)
	b.want(`document.querySelector("figure[data-curve=density] .curve").getTotalLength() > 500`)
	b.want(`["dsc", "ccb", "cetd-ds"].every((name) => document.querySelector("figure[data-curve=" + name + "] .curve"))`)
	b.want(`document.querySelectorAll("tr[data-method] .strip svg rect").length >= 37`)
	b.want(`document.getElementById("why").textContent.includes("does not decide block by block")`)

	// Against another method the marks are of what one of the two chose alone.
	choose("other", numbered("bte"))
	b.want(`document.getElementById("legend").textContent.includes("chosen by bte alone") && document.getElementById("summary").textContent.includes("bte: ")`)
	choose("other", numbered("density"))
	b.want(`document.querySelectorAll(".text mark.both").length > 0 && document.querySelectorAll(".text mark.missed, .text mark.surplus").length === 0`)
	choose("other", "gold")

	// The frame shows the same text with the same marks.
	choose("method", numbered("winnow"))
	framed := func(selector string) string {
		return `[...document.getElementById("frame").contentDocument.querySelectorAll("` + selector + `")]`
	}
	key("v")
	b.want(`document.getElementById("text").hidden && document.getElementById("frame").getBoundingClientRect().height > 300`)
	b.want(framed("w-t") + `.length > 30 && ` + framed("mark.both") + `.length > 5`)
	b.want(`getComputedStyle(` + framed("mark.both") + `[0]).backgroundColor !== "rgba(0, 0, 0, 0)"`)
	// A click tells why: the frame has no script, and is listened to from outside.
	b.run(framed("w-t") + `.find((e) => e.querySelector("mark.both")).click()`)
	b.want(`/^Chosen, with probability 0\.\d+$/.test(document.querySelector("#why h2").textContent) && document.querySelectorAll("#why tbody tr").length === 5`)
	b.want(framed(".on") + `.length > 0`)
	key("c")
	b.want(`new Set(` + framed("w-t") + `.map((e) => getComputedStyle(e).backgroundColor)).size > 3`)
	b.accessible("inspector frame")
	b.shoot("inspector-frame")
	key("v")
	b.want(`new Set([...document.querySelectorAll(".l > .t")].map((e) => getComputedStyle(e).backgroundColor)).size > 3`)
	key("c")

	// The probabilities are buttons, and arrows lead from block to block.
	b.run(`document.querySelectorAll(".l .p button")[0].click()`)
	b.want(`document.querySelector(".l.on") === document.querySelector(".l:has(button)")`)
	b.run(`document.querySelectorAll(".l .p button")[0].dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowDown", bubbles: true}))`)
	b.want(`document.activeElement === document.querySelectorAll(".l .p button")[1] && document.querySelectorAll(".l .p button[tabindex='0']").length === 1`)
	b.do(chromedp.EmulateViewport(390, 800))
	b.want(`document.querySelector(".l .t").getBoundingClientRect().width > 220`)
	b.accessible("inspector")
	b.quiet()

	// The document opens on the first difference, in the blocks and not scrolled itself.
	b = show("--doc", "bees-depot", "--package", "news", "--extractors", "bte,winnow,density", "../../examples/crawl.warc.gz")
	b.want(`document.getElementById("count").textContent.startsWith("difference 1 of ") && scrollY === 0`)
	b.want(`(() => { const m = document.querySelector(".text mark.missed, .text mark.surplus").getBoundingClientRect(), p = document.getElementById("text").getBoundingClientRect(); return m.top >= p.top && m.bottom <= p.bottom && m.bottom < innerHeight; })()`)
	b.want(`document.querySelector(".l.on mark.missed, .l.on mark.surplus")`)
	key("n")
	b.want(`document.getElementById("count").textContent.startsWith("difference 2 of ")`)
	b.shoot("inspector")
	b.quiet()

	// On paper there are the blocks alone, and all of them.
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	key("v")
	b.want(`["controls", "frame", "why", "keys"].every((id) => !document.getElementById(id).checkVisibility())`)
	b.want(`document.getElementById("text").checkVisibility() && document.getElementById("text").scrollHeight <= document.getElementById("text").clientHeight + 1`)

	archive := hostileArchive(t)
	b = show("--doc", hostileNames[0], "--extractors", "plain,bte,winnow", archive)
	b.want(`document.querySelectorAll("script").length === 2 && document.querySelectorAll("img, a").length === 0 && document.querySelectorAll("iframe").length === 1`)
	b.want(`document.body.textContent.includes("<script>alert(1)</script>")`)
	b.want(framed("script, iframe, object, form, input, meta[http-equiv], [href], [src], [onclick], [onerror], [srcdoc]") + `.length === 0`)
	b.want(framed("w-t") + `.some((e) => e.textContent.includes("<script>alert(1)</script>"))`)
	key("v")
	b.accessible("hostile page")

	// Were there code in the frame, it would not run, and nothing would be loaded.
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	attack := strings.ReplaceAll(`<script>parent.hacked = 1</script><img src="HERE/a" onerror="parent.hacked = 1"><style>body { background: url(HERE/b) }</style><link rel="stylesheet" href="HERE/c">`+
		`<iframe src="HERE/d"></iframe><object data="HERE/e"></object><meta http-equiv="refresh" content="0;url=HERE/f"><form id="form" action="HERE/g"></form><p style="background: url(HERE/h)" onclick="parent.hacked = 1">text</p>`, "HERE", server.URL)
	loaded := `new Promise((done) => { const f = document.getElementById("frame"); f.addEventListener("load", () => setTimeout(() => done(true), 300), {once: true}); f.srcdoc = ` + fmt.Sprintf("%q", attack) + ` })`
	ask[bool](b, loaded, chromedp.EvalAwaitPromise)
	b.run(framed("p") + `[0].click(); ` + framed("#form") + `[0].submit()`)
	ask[bool](b, `new Promise((done) => setTimeout(() => done(true), 300))`, chromedp.EvalAwaitPromise) // what would be asked for is asked for by then
	b.want(`window.hacked === undefined`)
	if n := asked.Load(); n != 0 {
		t.Errorf("the frame asked a server %d times", n)
	}
}

// TestServeInABrowser follows a link from the served report into the inspector.
func TestServeInABrowser(t *testing.T) {
	open := newBrowser(t)
	home := served(t, ran(t, "--extractors", "plain,bte,density", "--scorers", "vec", "../../examples/crawl.warc.gz"), "127.0.0.1:0")
	b := open(home)
	b.want(`document.querySelectorAll('a[href^="page?"]').length >= 40`)
	link := ask[string](b, `document.querySelector('a[href^="page?"]').href`)
	want := ask[string](b, `document.querySelector('a[href^="page?"]').textContent`)
	b = open(link)
	if got := ask[string](b, `document.querySelector("h1").textContent`); !strings.HasPrefix(got, want+" of ") {
		t.Errorf("the link of %s leads to %s", want, got)
	}
	b.want(`document.querySelectorAll(".text mark").length > 0`)
	b = open(home + "pages")
	b.accessible("list")
	b.shoot("list")
	b.want(`document.querySelectorAll("tbody tr").length === 50`)
	b.run(`document.getElementById("q").value = "bees-depot"`)
	if _, err := chromedp.RunResponse(b.ctx, chromedp.Click(chromedp.ID("search"))); err != nil {
		t.Fatal(err)
	}
	b.want(`document.querySelectorAll("tbody tr").length === 1 && location.search.includes("bees-depot")`)
}

// TestProgressInABrowser leaves a list open while the run ends: it says so by itself.
func TestProgressInABrowser(t *testing.T) {
	open := newBrowser(t)
	out := ran(t, "--extractors", "plain,bte,density", "--scorers", "vec", "../../examples/crawl.warc.gz")
	end := goingOn(t, out)
	b := open(served(t, out, "127.0.0.1:0"))
	b.want(`document.querySelector("[role=status]").textContent === "The run is going on: 1 of 1 item committed, with 62 pages."`)
	b.accessible("list of a run that goes on")
	end()
	if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool](`document.querySelector("[role=status]").textContent.startsWith("The run has ended, with 62 pages.")`)); err != nil {
		t.Fatal(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, address := range b.requests {
		if !strings.HasSuffix(address, "/") && !strings.HasSuffix(address, "/pages") && !strings.HasSuffix(address, "/progress") {
			t.Errorf("the page asked for %s", address)
		}
	}
	for _, e := range b.errors {
		t.Errorf("the console says: %s", e)
	}
}
