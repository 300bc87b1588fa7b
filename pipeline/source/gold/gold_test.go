package gold

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/ulikunitz/xz"

	"github.com/winnow/winnow/pipeline/source/gold/goldtest"
)

// forms writes the package in every form it may have and returns the paths.
func forms(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	names := goldtest.Names(files)
	slices.Reverse(names)
	plain := goldtest.Tarball(t, names, files, "small/")
	var gz, lz bytes.Buffer
	g := gzip.NewWriter(&gz)
	g.Write(plain)
	g.Close()
	x, err := xz.NewWriter(&lz)
	if err != nil {
		t.Fatal(err)
	}
	x.Write(plain)
	x.Close()
	out := map[string]string{"folder": goldtest.Folder(t, files)}
	for name, data := range map[string][]byte{
		"a.tar": plain, "a.tar.gz": gz.Bytes(), "a.tar.xz": lz.Bytes(),
		"misnamed.tar.gz": plain, "bare.tar": goldtest.Tarball(t, names, files, ""), "dotted.tar": goldtest.Tarball(t, names, files, "./small/"),
	} {
		out[name] = filepath.Join(dir, name)
		if err := os.WriteFile(out[name], data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestReadEveryForm(t *testing.T) {
	for form, path := range forms(t, goldtest.Small) {
		t.Run(form, func(t *testing.T) {
			p, err := Open(path, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if p.Info.Name != "small" || p.Len() != 6 || !slices.Equal(p.Orphans, []string{"orphan.txt"}) {
				t.Errorf("name %q, %d documents, orphans %q", p.Info.Name, p.Len(), p.Orphans)
			}
			var got []string
			for d, err := range p.Documents(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				text := "null"
				if d.Gold.Text != nil {
					text = fmt.Sprintf("%q", *d.Gold.Text)
				}
				got = append(got, fmt.Sprintf("%s %q %s %q %s", d.ID, d.HTML, text, d.Gold.HTML, d.Gold.PageType))
			}
			want := []string{
				`1 "<p>One</p>" "One" "" news`,
				`10 "<p>Ten</p>" "" "" `,
				`2 "\xe4\xf6" "Zwei\nDrei\nVier �" "<b>�Zwei</b>" `,
				`lost "<p>Lost</p>" null "" `,
				`nogold "" null "" `,
				`part "<p>Part</p>" null "" `,
			}
			if !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	for form, path := range forms(t, goldtest.Small) {
		if form == "folder" {
			continue
		}
		p, err := Open(path, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if _, err := Open(path, Limits{ArchiveBytes: 100, Files: 1}); err == nil {
			t.Errorf("%s: no limit", form)
		}
	}
	left, err := filepath.Glob(filepath.Join(tmp, "winnow-gold-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left in the temporary folder: %v %v", left, err)
	}
}

// An archive may inflate to no more than it is allowed to, and never fills the volume
// of the temporary folder.
func TestArchiveIsBounded(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	if _, err := z.Write(make([]byte, 64<<20)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bomb.tar.gz")
	if err := os.WriteFile(path, bomb.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		lim  Limits
		want string
	}{
		{Limits{ArchiveBytes: 20 << 20}, "inflates to more than 20971520 bytes"},
		{Limits{FreeBytes: 1 << 62}, "set TMPDIR to a larger volume"},
		{Limits{}, "no ID.html"}, // it is inflated, and does not hold a package
	} {
		if _, err := Open(path, c.lim); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.lim, err, c.want)
		}
	}
}

func TestRefusedPackages(t *testing.T) {
	dir := t.TempDir()
	page := map[string]string{"1.html": "x"}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty.tar":     {goldtest.Tarball(t, nil, nil, ""), "no ID.html"},
		"climb.tar":     {goldtest.Tarball(t, []string{"1.html"}, page, "../"), "not a file of one folder"},
		"absolute.tar":  {goldtest.Tarball(t, []string{"1.html"}, page, "/etc/"), "not a file of one folder"},
		"deep.tar":      {goldtest.Tarball(t, []string{"1.html"}, page, "a/b/"), "not a file of one folder"},
		"name.tar":      {goldtest.Tarball(t, []string{"a b.html"}, nil, "p/"), "not a file of one folder"},
		"twice.tar":     {goldtest.Tarball(t, []string{"1.html", "1.html"}, page, "p/"), "twice"},
		"two.tar":       {append(goldtest.Tarball(t, []string{"1.html"}, page, "p/")[:1024], goldtest.Tarball(t, []string{"1.html"}, page, "q/")...), `not in the folder "p"`},
		"cut.tar.gz":    {[]byte("\x1f\x8b\x08\x00\x00"), "EOF"},
		"cut.tar.xz":    {[]byte("\xfd7zXZ\x00\x00"), "EOF"},
		"noise.tar":     {bytes.Repeat([]byte("noise"), 1000), "tar"},
		"info.tar":      {goldtest.Tarball(t, []string{"1.html", "package.json"}, map[string]string{"package.json": "{"}, "p/"), "package.json"},
		"badname.tar":   {goldtest.Tarball(t, []string{"1.html", "package.json"}, map[string]string{"package.json": `{"name":"../x"}`}, "p/"), "name"},
		"annotated.tar": {goldtest.Tarball(t, []string{"1.txt"}, nil, "p/"), "no ID.html"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, c.data, 0o644); err != nil {
			t.Fatal(err)
		}
		p, err := Open(path, Limits{})
		if err == nil {
			p.Close()
			t.Errorf("%s: no error", name)
		} else if !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "gold: package "+path+": ") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := Open(filepath.Join(dir, "absent"), Limits{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
}

// Links must not lead out of a package, and a pipe must not block its reader.
func TestFolderHasOnlyItsOwnFiles(t *testing.T) {
	dir := goldtest.Folder(t, map[string]string{"1.html": "x"})
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, "2.html")); err != nil {
		t.Skip(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "3.html"), 0o600); err != nil {
		t.Skip(err)
	}
	p, err := Open(dir, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Len() != 1 {
		t.Errorf("%d documents, want the regular file alone", p.Len())
	}
}

func TestCharset(t *testing.T) {
	for info, want := range map[string]string{
		`{}`:                         "text/html",
		`{"notes":["stored as-is"]}`: "text/html",
		`{"notes":["x","All pages were stored as UTF-8: read them as if the server had said charset=utf-8."]}`: "text/html; charset=utf-8",
		`{"notes":["as if the server had said charset=windows-1252, all of them"]}`:                            "text/html; charset=windows-1252",
		`{"http_charset":"iso-8859-2","notes":["as if the server had said charset=utf-8"]}`:                    "text/html; charset=iso-8859-2",
	} {
		p, err := Open(goldtest.Folder(t, map[string]string{"1.html": "x", "package.json": info}), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.ContentType(new(Document)); got != want {
			t.Errorf("%s: %s, want %s", info, got, want)
		}
		p.Close()
	}
}

// For a page that is known to declare a wrong charset, the server's Content-Type names
// the right one. If the right one is not known, Content-Type names none.
func TestWrongCharset(t *testing.T) {
	for meta, want := range map[string]string{
		`{"charset": "iso-8859-1", "encoding": "utf-8"}`:                        "text/html",
		`{"charset": "iso-8859-1", "encoding": "utf-8", "charset_wrong": true}`: "text/html; charset=utf-8",
		`{"charset": "utf-8", "charset_wrong": true}`:                           "text/html",
	} {
		p, err := Open(goldtest.Folder(t, map[string]string{"1.html": "x", "1.json": meta}), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for d, err := range p.Documents(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if got := p.ContentType(d); got != want {
				t.Errorf("%s: %s, want %s", meta, got, want)
			}
		}
		p.Close()
	}
}

// Character references in gold texts are text, unless the package says that its golds
// are written with them. In that case they are decoded once.
func TestEntities(t *testing.T) {
	for info, want := range map[string]string{
		`{}`:                     "fish &amp;amp; chips &lt;p&gt;",
		`{"gold_entities":true}`: "fish &amp; chips <p>",
	} {
		p, err := Open(goldtest.Folder(t, map[string]string{"1.html": "x", "1.txt": "fish &amp;amp; chips &lt;p&gt;", "package.json": info}), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for d, err := range p.Documents(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if got := *d.Gold.Text; got != want {
				t.Errorf("%s: %q, want %q", info, got, want)
			}
		}
		p.Close()
	}
}

// The main content may be given with its structure too, within the bound of other golds.
func TestMarkdown(t *testing.T) {
	dir := goldtest.Folder(t, map[string]string{"1.html": "<h1>a</h1>", "1.txt": "a", "1.md": "\uFEFF# a\r\n", "README.md": "not gold"})
	for limit, want := range map[int64]string{0: "# a\n", 4: ""} {
		p, err := Open(dir, Limits{GoldBytes: limit})
		if err != nil {
			t.Fatal(err)
		}
		for d, err := range p.Documents(t.Context()) {
			if (err == nil) != (want != "") {
				t.Fatalf("limit %d: %v", limit, err)
			}
			if err == nil && d.Gold.Markdown != want {
				t.Errorf("limit %d: %q, want %q", limit, d.Gold.Markdown, want)
			}
		}
		p.Close()
	}
}
