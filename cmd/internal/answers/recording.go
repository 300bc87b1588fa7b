package answers

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxLine bounds a line of a recording, and a file of a folder.
const maxLine = 64 << 20

// Recording is the answers of an extractor, by page. It belongs to one goroutine.
type Recording struct {
	folder *os.Root // nil unless the recording is a folder
	file   *os.File
	line   *bufio.Reader
	starts map[key]int64 // where lines start in file
}

// key is the beginning of the SHA-256 of an id or URL.
type key [16]byte

func keyOf(kind, name string) key {
	sum := sha256.Sum256([]byte(kind + " " + name))
	return key(sum[:16])
}

// Open reads a recording once and checks every line. A line without text, with neither id nor
// url, or with the id or the url of an earlier one is an error that names the line.
func Open(name string) (*Recording, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		folder, err := os.OpenRoot(name)
		return &Recording{folder: folder}, err
	}
	r := &Recording{line: bufio.NewReaderSize(nil, 64<<10), starts: map[key]int64{}}
	if r.file, err = openPlain(name); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := r.index(); err != nil {
		r.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// openPlain opens a file, or a temporary one with its content if it is compressed.
func openPlain(name string) (*os.File, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	head := make([]byte, 4)
	n, _ := file.ReadAt(head, 0)
	var content io.Reader
	switch {
	case bytes.HasPrefix(head[:n], []byte("\x1f\x8b")):
		content, err = gzip.NewReader(file)
	case bytes.HasPrefix(head[:n], []byte("\x28\xb5\x2f\xfd")):
		var z *zstd.Decoder
		if z, err = zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20)); err == nil {
			defer z.Close()
		}
		content = z
	default:
		return file, nil
	}
	defer file.Close()
	if err != nil {
		return nil, err
	}
	plain, err := os.CreateTemp("", "winnow-answers-")
	if err != nil {
		return nil, err
	}
	os.Remove(plain.Name()) // where an open file cannot be removed, it stays until the system cleans up
	if _, err := io.Copy(plain, content); err != nil {
		plain.Close()
		return nil, err
	}
	return plain, nil
}

// answer is a line. An ID may be a number.
type answer struct {
	ID   json.RawMessage `json:"id"`
	URL  string          `json:"url"`
	Text *string         `json:"text"`
}

func (a *answer) key() (key, error) {
	if a.ID == nil {
		if a.URL == "" {
			return key{}, errors.New("neither id nor url")
		}
		return keyOf("url", a.URL), nil
	}
	var number json.Number // or a text of digits
	if json.Unmarshal(a.ID, &number) == nil && number != "" {
		return keyOf("id", number.String()), nil
	}
	var id string
	if json.Unmarshal(a.ID, &id) != nil || id == "" {
		return key{}, fmt.Errorf("the id %.80s is neither a text nor a number", a.ID)
	}
	return keyOf("id", id), nil
}

// index finds the line of each page.
func (r *Recording) index() error {
	if _, err := r.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r.line.Reset(r.file)
	var at int64
	for n := 1; ; n++ {
		line, err := readLine(r.line)
		if err == io.EOF {
			return nil
		}
		var a answer
		if err == nil && len(bytes.TrimSpace(line)) > 0 {
			err = r.add(line, &a, at)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		at += int64(len(line))
	}
}

func (r *Recording) add(line []byte, a *answer, at int64) error {
	if err := json.Unmarshal(line, a); err != nil {
		return err
	}
	k, err := a.key()
	if err != nil {
		return err
	}
	if a.Text == nil {
		return errors.New("no text; that of a page on which nothing was found is empty")
	}
	if _, twice := r.starts[k]; twice {
		return fmt.Errorf("a second answer to the page of id %s, url %q", a.ID, a.URL)
	}
	r.starts[k] = at
	return nil
}

// readLine returns a line with its end.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			return nil, fmt.Errorf("it is longer than %d bytes", maxLine)
		}
		line = append(line, part...)
		switch {
		case err == nil, err == io.EOF && len(line) > 0:
			return line, nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

// Lookup returns the answer to a page. It looks for the document of the package, then for the
// document, then for the URL.
func (r *Recording) Lookup(pkg, document, url string) (text string, found bool, err error) {
	for _, name := range []string{pkg + "/" + document, document} {
		if document == "" {
			break
		}
		if r.folder != nil {
			text, found, err = r.read(name + ".txt")
		} else {
			text, found, err = r.answerOf(keyOf("id", name))
		}
		if found || err != nil {
			return text, found, err
		}
	}
	if r.folder != nil || url == "" {
		return "", false, nil
	}
	return r.answerOf(keyOf("url", url))
}

func (r *Recording) answerOf(k key) (text string, found bool, err error) {
	start, found := r.starts[k]
	if !found {
		return "", false, nil
	}
	r.line.Reset(io.NewSectionReader(r.file, start, maxLine+1))
	line, err := readLine(r.line)
	if err != nil {
		return "", false, err
	}
	var a answer
	if err := json.Unmarshal(line, &a); err != nil || a.Text == nil {
		return "", false, errors.New("the recording has changed since it was opened")
	}
	return *a.Text, true, nil
}

// read reads a file of the folder. Names that lead out of it name no answer.
func (r *Recording) read(name string) (text string, found bool, err error) {
	if !filepath.IsLocal(name) {
		return "", false, nil
	}
	file, err := r.folder.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, maxLine+1))
	if len(b) > maxLine {
		return "", false, fmt.Errorf("%s is longer than %d bytes", name, maxLine)
	}
	return string(b), err == nil, err
}

// Close closes the files.
func (r *Recording) Close() error {
	if r.folder != nil {
		return r.folder.Close()
	}
	return r.file.Close()
}
