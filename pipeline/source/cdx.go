package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path"
	"strconv"
	"strings"

	"github.com/winnow/winnow/pipeline/source/payload"
	"github.com/winnow/winnow/schemas"
)

// An index lists records. For each record it gives the file that holds it, its offset
// there and its length. The lines of an index are CDXJ, "URLKEY TIMESTAMP {json}", as
// pywb, cdxj-indexer and Common Crawl write them, or CDX, with fields that are separated
// by blanks, in the order that the first line gives (" CDX N b a m s k r M S V g").

// index is the format of indexes.
type index struct{}

func (index) Name() string { return "index" }
func (index) Alone() bool  { return false }
func (index) aside() string {
	return "indexes: give one as INPUT to read only the records that it names"
}

func (index) pages(ctx context.Context, in *Inputs, name string) iter.Seq2[*Page, error] {
	return in.archives(ctx, name)
}

// called implements namedFormat. An index is called NAME.cdxj or NAME.cdx, either of them
// perhaps with the suffix .gz, or cdx-NUMBER.gz as those of Common Crawl are.
func (index) called(name string) bool {
	name = path.Base(name)
	if strings.HasPrefix(name, "cdx-") && strings.HasSuffix(name, ".gz") {
		return true
	}
	name = strings.TrimSuffix(name, ".gz")
	return strings.HasSuffix(name, ".cdxj") || strings.HasSuffix(name, ".cdx")
}

// indexLine holds what a line of an index says about a record.
type indexLine struct {
	timestamp      string // digits, such as 20240131235959
	url            string
	mime, status   string // "" if the line does not say
	file           string
	offset, length int64
	// These are about the payload, as Common Crawl has found it; "" if the line does not say.
	languages, detected, truncated string
}

// keptColumns are the names of the fields of an index line that are kept for the page's row. They are
// those of the columns of Common Crawl's table.
var keptColumns = [...]string{"content_languages", "content_mime_detected", "content_truncated", "fetch_status"}

// keep returns the values of what is kept, joined by keptSeparator.
func (l *indexLine) keep() string {
	values := []string{l.languages, l.detected, l.truncated, l.status}
	for i, v := range values {
		values[i] = schemas.Shorten(strings.ReplaceAll(strings.ToValidUTF8(v, "\uFFFD"), keptSeparator, " "), maxKept/8/len(values))
	}
	return strings.Join(values, keptSeparator)
}

// keptSeparator occurs in no value.
const keptSeparator = "\x00"

// keptFields returns the kept fields of a line as names and values.
func keptFields(values string) (out []payload.Field) {
	for i, v := range strings.Split(values, keptSeparator) {
		if v != "" && i < len(keptColumns) {
			out = append(out, payload.Field{Name: keptColumns[i], Value: v})
		}
	}
	return out
}

// cdxFields are the fields of a CDX line if no first line names them.
const cdxFields = "N b a m s k r M S V g"

// errNoRecord means that a line describes no record. Such lines are the first line of a
// CDX index, the metadata lines of CDXJ (!meta), and blank lines.
var errNoRecord = errors.New("the line names no record")

// lineParser reads the lines of one index.
type lineParser struct {
	fields []string // the letters of the fields of CDX lines
}

// cdxj holds the fields of the JSON in a line.
type cdxj struct {
	URL       jsonText `json:"url"`
	MIME      jsonText `json:"mime"`
	Detected  jsonText `json:"mime-detected"`
	Status    jsonText `json:"status"`
	Languages jsonText `json:"languages"`
	Truncated jsonText `json:"truncated"`
	Filename  jsonText `json:"filename"`
	Offset    jsonText `json:"offset"`
	Length    jsonText `json:"length"`
}

// jsonText is the text of a JSON string or number. Indexes use both for the same fields.
type jsonText string

// UnmarshalJSON implements json.Unmarshaler.
func (t *jsonText) UnmarshalJSON(data []byte) error {
	switch {
	case len(data) > 0 && data[0] == '"':
		return json.Unmarshal(data, (*string)(t))
	case bytes.Equal(data, []byte("null")):
		return nil
	case len(data) > 0 && (data[0] == '{' || data[0] == '['):
		return errors.New("want a string or a number")
	}
	*t = jsonText(data)
	return nil
}

// parse reads a line. The error is errNoRecord or says what is wrong with the line.
func (p *lineParser) parse(line []byte) (l indexLine, err error) {
	if trimmed := bytes.TrimSpace(line); len(trimmed) == 0 || trimmed[0] == '!' {
		return l, errNoRecord
	}
	if names, ok := bytes.CutPrefix(bytes.TrimLeft(line, " "), []byte("CDX ")); ok && bytes.IndexByte(line, '{') < 0 {
		p.fields = strings.Fields(string(names))
		return l, errNoRecord
	}
	var offset, length string
	if at := bytes.Index(line, []byte(" {")); at >= 0 {
		head := bytes.Fields(line[:at])
		if len(head) > 0 {
			l.timestamp = string(head[len(head)-1])
		}
		var j cdxj
		if err := json.Unmarshal(line[at+1:], &j); err != nil {
			return l, fmt.Errorf("its JSON: %w", err)
		}
		l.url, l.mime, l.status, l.file = string(j.URL), string(j.MIME), string(j.Status), string(j.Filename)
		l.languages, l.detected, l.truncated = string(j.Languages), string(j.Detected), string(j.Truncated)
		offset, length = string(j.Offset), string(j.Length)
	} else {
		if p.fields == nil {
			p.fields = strings.Fields(cdxFields)
		}
		values := strings.Fields(string(line))
		if len(values) != len(p.fields) {
			return l, fmt.Errorf("it has %d fields, want %d", len(values), len(p.fields))
		}
		for i, name := range p.fields {
			v := values[i]
			if v == "-" {
				v = ""
			}
			switch name {
			case "b":
				l.timestamp = v
			case "a":
				l.url = v
			case "m":
				l.mime = v
			case "s":
				l.status = v
			case "S":
				length = v
			case "V":
				offset = v
			case "g":
				l.file = v
			}
		}
	}
	if l.status == "-" {
		l.status = ""
	}
	return l, l.locate(offset, length)
}

// locate sets the offset and the length. It returns an error if no record can be there.
func (l *indexLine) locate(offset, length string) (err error) {
	if l.offset, err = strconv.ParseInt(offset, 10, 64); err != nil || l.offset < 0 {
		return fmt.Errorf("its offset is %.40q", offset)
	}
	if l.length, err = strconv.ParseInt(length, 10, 64); err != nil || l.length <= 0 {
		return fmt.Errorf("its length is %.40q", length)
	}
	if l.file == "" {
		return errors.New("it names no file")
	}
	return nil
}
