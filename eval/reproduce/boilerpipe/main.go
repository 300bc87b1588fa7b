// Command boilerpipe holds the boilerpipe extractors to the released library:
// every page of the given gold packages is handed to both, and their texts must
// be equal but for white space.
//
//	go -C eval run ./reproduce/boilerpipe --library boilerpipe-1.2.0.jar DIR/l3s-gn1.tar.xz ...
//
// It needs a JDK. The library is Debian's libboilerpipe-java; ".ci/run boilerpipe"
// fetches it and runs this command. The library does not parse the pages itself:
// it gets the elements and the page text of Winnow's tree as the events of a
// parser, so what differs is no difference of parsers.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/boilerpipe"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/source/payload"
)

// extractors are compared with the library's, in the order in which Released.java
// answers.
var extractors = []*algorithms.Extractor{boilerpipe.Default, boilerpipe.ReleasedArticle, boilerpipe.Largest}

func main() {
	jar := flag.String("library", "", "the library's archive, boilerpipe-1.2.0.jar")
	source := flag.String("source", "reproduce/boilerpipe/Released.java", "the program that calls the library")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: boilerpipe --library JAR PACKAGE...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *jar == "" || flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := compare(os.Stdout, *jar, *source, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "boilerpipe:", err)
		os.Exit(1)
	}
}

// compare writes how many pages of each package have equal texts, and which pages do
// not. It returns an error if there are such pages.
func compare(w io.Writer, jar, source string, packages []string) error {
	lib, err := start(jar, source)
	if err != nil {
		return err
	}
	different := 0
	for _, path := range packages {
		n, err := comparePackage(w, lib, path)
		if err != nil {
			return errors.Join(err, lib.stop())
		}
		different += n
	}
	if err := lib.stop(); err != nil {
		return err
	}
	if different > 0 {
		return fmt.Errorf("%d texts differ", different)
	}
	return nil
}

func comparePackage(w io.Writer, lib *library, path string) (different int, err error) {
	p, err := gold.Open(path, gold.Limits{})
	if err != nil {
		return 0, err
	}
	defer p.Close()
	var (
		decoder payload.Decoder
		pg      page.Page
		pass    algorithms.Pass
		pages   int
		nested  int // number of these with a link inside a link
		words   [3]int
	)
	for doc, err := range p.Documents(context.Background()) {
		if err != nil {
			return different, err
		}
		pages++
		pg.Parse(decoder.DecodeHTML(doc.HTML, p.ContentType(doc)).HTML, page.Options{})
		if nestedLinks(&pg) {
			nested++ // the library documents that it counts their words incorrectly
			continue
		}
		pass.Reset(&pg, "")
		theirs, err := lib.texts(&pg)
		if err != nil {
			return different, fmt.Errorf("%s: %w", doc.ID, err)
		}
		for i, e := range extractors {
			pass.Clear()
			if err := e.Run(&pass); err != nil {
				return different, fmt.Errorf("%s: %s: %w", doc.ID, e.Name, err)
			}
			ours := string(pass.AppendText(nil))
			words[i] += len(strings.Fields(ours))
			if squeezed(ours) != squeezed(theirs[i]) {
				different++
				fmt.Fprintf(w, "%s: %s: %d words, the library %d\n", doc.ID, e.Name, len(strings.Fields(ours)), len(strings.Fields(theirs[i])))
			}
		}
	}
	fmt.Fprintf(w, "%s: %d pages,", filepath.Base(path), pages)
	for i, e := range extractors {
		fmt.Fprintf(w, " %s %d words,", e.Name, words[i])
	}
	fmt.Fprintf(w, " %d texts differ; %d pages with nested links left out\n", different, nested)
	return different, nil
}

// nestedLinks reports whether the page has a link inside a link.
func nestedLinks(p *page.Page) bool {
	t, end := &p.Tree, html.Node(0)
	for n := html.Node(1); int(n) < t.Len(); n++ {
		if t.Kind[n] == html.KindElement && t.Tag[n] == html.TagA && t.Space[n] == html.SpaceHTML {
			if n < end {
				return true
			}
			end = t.End[n]
		}
	}
	return false
}

// squeezed removes white space, and also control characters, which Java's trim removes
// from the ends of blocks.
func squeezed(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return -1
		}
		return r
	}, s)
}

// library is the running program that calls the library.
type library struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	w   *bufio.Writer
	r   *bufio.Reader
}

func start(jar, source string) (*library, error) {
	cmd := exec.Command("java", "-cp", jar, source)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &library{cmd: cmd, in: in, w: bufio.NewWriter(in), r: bufio.NewReader(out)}, nil
}

func (l *library) stop() error {
	l.in.Close()
	return l.cmd.Wait()
}

// texts returns the answers of the library's extractors to a page.
func (l *library) texts(p *page.Page) ([]string, error) {
	l.events(p)
	l.w.WriteString(".\n")
	if err := l.w.Flush(); err != nil {
		return nil, err
	}
	texts := make([]string, len(extractors))
	for i := range texts {
		line, err := l.r.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("the library's answer: %w", err)
		}
		texts[i] = unescape.Replace(strings.TrimSuffix(line, "\n"))
	}
	return texts, nil
}

var (
	escape   = strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\r", "\\r")
	unescape = strings.NewReplacer("\\\\", "\\", "\\n", "\n", "\\r", "\r")
)

func (l *library) event(kind byte, s string) {
	l.w.WriteByte(kind)
	l.w.WriteString(s)
	l.w.WriteByte('\n')
}

// open is an element around the present node.
type open struct {
	end    html.Node
	name   string
	silent bool // its text is not page text
}

// events writes the events of a parser for p: all elements, white space, page text, and
// the texts before the body (for the title).
func (l *library) events(p *page.Page) {
	t, body := &p.Tree, p.Body()
	inside := []open{{end: html.Node(t.Len())}}
	for n := html.Node(1); int(n) < t.Len(); n++ {
		for len(inside) > 1 && inside[len(inside)-1].end <= n {
			l.event('E', inside[len(inside)-1].name)
			inside = inside[:len(inside)-1]
		}
		switch around := inside[len(inside)-1]; t.Kind[n] {
		case html.KindElement:
			name := "X" // an element that the library does not treat specially
			if t.Space[n] == html.SpaceHTML && t.Tag[n] != html.TagOther {
				name = strings.ToUpper(p.TagName(t.Tag[n]))
			}
			l.event('S', name)
			inside = append(inside, open{t.End[n], name, around.silent || silent(p, body, n)})
		case html.KindText:
			text := string(t.Text[t.Data[n].Start:t.Data[n].End])
			if !around.silent || strings.Trim(text, " \t\n\f\r") == "" {
				l.event('T', escape.Replace(text))
			}
		}
	}
	for len(inside) > 1 {
		l.event('E', inside[len(inside)-1].name)
		inside = inside[:len(inside)-1]
	}
}

// silent reports whether the content of the element n is not page text.
func silent(p *page.Page, body *page.Body, n html.Node) bool {
	if body.Len() == 0 || n < body.Node[0] {
		return false
	}
	row, ok := body.Row(n)
	if !ok || p.Tree.Space[n] != html.SpaceHTML || body.Flags[row]&page.Hidden != 0 {
		return true
	}
	switch p.Tree.Tag[n] {
	case html.TagSelect, html.TagDatalist, html.TagIframe, html.TagObject, html.TagEmbed:
		return true
	}
	return false
}
