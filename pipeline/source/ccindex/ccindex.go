// Package ccindex writes tables in the schema of Common Crawl's columnar index, for tests and
// for the example crawl. Winnow reads such tables in package source.
//
// The schema is that of github.com/commoncrawl/cc-index-table as Spark stores it: every
// column may be null, times are of 96 bits, pages are compressed by gzip. The columns crawl
// and subset are names of folders, as in "crawl=CC-MAIN-2024-10/subset=warc/part-0.gz.parquet".
//
// This package is internal to Winnow and may change in any release.
package ccindex

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/language"

	"github.com/winnow/winnow/pipeline/warc"
)

// Row is a record of an archive. A zero value is null, but for offsets and lengths.
type Row struct {
	URLSurtKey              string           `parquet:"url_surtkey,optional"`
	URL                     string           `parquet:"url,optional"`
	URLHostName             string           `parquet:"url_host_name,optional"`
	URLHostTLD              string           `parquet:"url_host_tld,optional"`
	URLHost2ndLastPart      string           `parquet:"url_host_2nd_last_part,optional"`
	URLHost3rdLastPart      string           `parquet:"url_host_3rd_last_part,optional"`
	URLHost4thLastPart      string           `parquet:"url_host_4th_last_part,optional"`
	URLHost5thLastPart      string           `parquet:"url_host_5th_last_part,optional"`
	URLHostRegistrySuffix   string           `parquet:"url_host_registry_suffix,optional"`
	URLHostRegisteredDomain string           `parquet:"url_host_registered_domain,optional"`
	URLHostPrivateSuffix    string           `parquet:"url_host_private_suffix,optional"`
	URLHostPrivateDomain    string           `parquet:"url_host_private_domain,optional"`
	URLHostNameReversed     string           `parquet:"url_host_name_reversed,optional"`
	URLProtocol             string           `parquet:"url_protocol,optional"`
	URLPort                 int32            `parquet:"url_port,optional"`
	URLPath                 string           `parquet:"url_path,optional"`
	URLQuery                string           `parquet:"url_query,optional"`
	FetchTime               deprecated.Int96 `parquet:"fetch_time,optional"`
	FetchStatus             int16            `parquet:"fetch_status,optional"`
	FetchRedirect           string           `parquet:"fetch_redirect,optional"`
	ContentDigest           string           `parquet:"content_digest,optional"`
	ContentMIMEType         string           `parquet:"content_mime_type,optional"`
	ContentMIMEDetected     string           `parquet:"content_mime_detected,optional"`
	ContentCharset          string           `parquet:"content_charset,optional"`
	ContentLanguages        string           `parquet:"content_languages,optional"`
	ContentTruncated        string           `parquet:"content_truncated,optional"`
	WARCFilename            string           `parquet:"warc_filename,optional"`
	WARCRecordOffset        *int32           `parquet:"warc_record_offset,optional"`
	WARCRecordLength        *int32           `parquet:"warc_record_length,optional"`
	WARCSegment             string           `parquet:"warc_segment,optional"`
}

// Time returns a time as the column fetch_time has it.
func Time(t time.Time) deprecated.Int96 {
	const day = 24 * 60 * 60
	nanos := uint64(t.Unix()%day)*uint64(time.Second) + uint64(t.Nanosecond())
	return deprecated.Int96{uint32(nanos), uint32(nanos >> 32), uint32(t.Unix()/day) + 2440588} // the Julian day of the first of 1970
}

// Write writes a table with the given number of rows in each row group.
func Write(w io.Writer, rows []Row, groupRows int64) error {
	table := parquet.NewGenericWriter[Row](w, parquet.Compression(&parquet.Gzip), parquet.DataPageVersion(1), parquet.MaxRowsPerRowGroup(groupRows))
	if _, err := table.Write(rows); err != nil {
		return err
	}
	return table.Close()
}

// declared finds the language that a page declares.
var declared = regexp.MustCompile(`(?i)<html[^>]*\blang="?([a-z]+)`)

// Rows returns the rows of the responses in an archive, in the order of the table: by their
// keys, which are the URLs with the host reversed. Common Crawl detects the language from the
// text; here it is the one that the page declares.
func Rows(archive warc.Source, name string) (rows []Row, err error) {
	var r warc.Reader
	if err := r.Reset(archive, 0, archive.Size(), 0, warc.Options{Name: name}); err != nil {
		return nil, err
	}
	for {
		var rec warc.Record
		if err := r.Next(&rec); err == io.EOF {
			slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(a.URLSurtKey, b.URLSurtKey) })
			return rows, nil
		} else if err != nil {
			return nil, err
		}
		u, err := url.Parse(rec.TargetURI)
		if err != nil || u.Host == "" || rec.Type != warc.TypeResponse {
			continue
		}
		response, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(rec.Block)), nil)
		if err != nil {
			continue
		}
		offset, length := int32(rec.Offset), int32(rec.Length)
		parts := strings.Split(u.Hostname(), ".")
		slices.Reverse(parts)
		row := Row{
			URL: rec.TargetURI, URLHostName: u.Hostname(), URLHostTLD: parts[0], URLHostNameReversed: strings.Join(parts, "."),
			URLProtocol: u.Scheme, URLPath: u.Path, URLQuery: u.RawQuery, FetchStatus: int16(response.StatusCode),
			FetchRedirect: response.Header.Get("Location"), ContentDigest: strings.TrimPrefix(rec.Field("warc-payload-digest"), "sha1:"),
			WARCFilename: name, WARCRecordOffset: &offset, WARCRecordLength: &length, WARCSegment: path.Dir(name),
		}
		if !rec.Date.IsZero() {
			row.FetchTime = Time(rec.Date)
		}
		row.URLSurtKey = strings.Join(parts, ",") + ")" + u.RequestURI()
		row.URLHostRegisteredDomain, _ = publicsuffix.EffectiveTLDPlusOne(u.Hostname()) // an address of numbers has none
		row.ContentMIMEType, _, _ = strings.Cut(response.Header.Get("Content-Type"), ";")
		row.ContentMIMEDetected = row.ContentMIMEType
		if found := declared.FindSubmatch(rec.Block); found != nil {
			if base, err := language.ParseBase(string(found[1])); err == nil {
				row.ContentLanguages = base.ISO3()
			}
		}
		rows = append(rows, row)
	}
}
