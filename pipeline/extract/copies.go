package extract

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/pipeline/worker/shard"
	"github.com/winnow/winnow/schemas"
)

// copies are the records of an item that an index named, unchanged, and the index of their
// archive. What is appended to an archive of one record for each compressed unit is an archive
// of the same form.
type copies struct {
	archive, index *shard.File
	rows, bytes    int64
}

func newCopies(ctx context.Context, a *worker.Attempt) *copies {
	ending := map[string]string{"plain": ".warc", "zstd": ".warc.zst"}[a.Item.File.Selection.Format]
	if ending == "" {
		ending = ".warc.gz"
	}
	file := func(ending string) *shard.File {
		return shard.NewFile(ctx, a.Job.Store, a.ShardPrefix()+string(schemas.TableRecords)+ending)
	}
	return &copies{archive: file(ending), index: file(schemas.IndexEnding)}
}

// indexed is the JSON of a line of the index. The aggregator, which names the archive, fills
// the last field.
type indexed struct {
	URL       string `json:"url"`
	Detected  string `json:"mime-detected,omitempty"`
	Languages string `json:"languages,omitempty"`
	Truncated string `json:"truncated,omitempty"`
	Status    string `json:"status,omitempty"`
	Digest    string `json:"digest,omitempty"`
	Offset    string `json:"offset"`
	Length    string `json:"length"`
	Filename  string `json:"filename"`
}

// add copies a record.
func (c *copies) add(r *source.NamedRecord) error {
	n, err := io.Copy(c.archive, r.Raw)
	if err != nil {
		return err
	}
	line := indexed{URL: r.TargetURI, Digest: r.Field("warc-payload-digest"), Offset: strconv.FormatInt(c.bytes, 10), Length: strconv.FormatInt(n, 10)}
	for _, f := range r.Index {
		switch f.Name {
		case "content_mime_detected":
			line.Detected = f.Value
		case "content_languages":
			line.Languages = f.Value
		case "content_truncated":
			line.Truncated = f.Value
		case "fetch_status":
			line.Status = f.Value
		}
	}
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	c.rows, c.bytes = c.rows+1, c.bytes+n
	_, err = fmt.Fprintf(c.index, "%s %s %s\n", key(r.TargetURI), r.Date.Format("20060102150405"), text)
	return err
}

// key returns the sort key of a URL: its host reversed, then its path, without blanks.
func key(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return strings.ReplaceAll(address, " ", "%20")
	}
	labels := strings.Split(strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."), ".")
	slices.Reverse(labels)
	port := ""
	if u.Port() != "" {
		port = ":" + u.Port()
	}
	return strings.Join(labels, ",") + port + ")" + strings.ToLower(u.RequestURI())
}

// publish makes the files appear, if there are records, and adds their descriptions to a list.
func (c *copies) publish(to *[]schemas.Shard) error {
	if c.rows == 0 {
		return nil
	}
	for _, file := range []*shard.File{c.archive, c.index} {
		sh, err := file.Publish(schemas.TableRecords, c.rows)
		if err != nil {
			return err
		}
		*to = append(*to, sh)
	}
	return nil
}

func (c *copies) discard() {
	c.archive.Discard()
	c.index.Discard()
}
