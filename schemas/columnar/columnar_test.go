package columnar

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"

	"github.com/winnow/winnow/schemas"
)

// documents returns n rows as a worker writes them: pages with four extractors each.
func documents(n int) []schemas.Document {
	rows := make([]schemas.Document, n)
	for i := range rows {
		page := i / 4
		rows[i] = schemas.Document{
			Run: "r1", Package: fmt.Sprint("pkg", page%3), DocID: fmt.Sprintf("doc-%06d", page),
			URL:    fmt.Sprintf("https://site%d.example/story/%d?ü", page%7, page),
			PageID: uint64(page) * 0x9e3779b97f4a7c15, File: "file:///crawl/a.warc.gz",
			Offset: int64(page) * 20011, Extractor: []string{"bte", "density", "dsc", "lqf-25"}[i%4], Fidelity: "exact",
			Outcome: "ok", HTMLBytes: int64(page)*31 + 4000, TextChars: int64(i) * 7, TextHash: uint64(i) * 0x9e3779b97f4a7c15,
			ParseNS: int64(page) * 17, FeatureNS: 5, ExtractNS: int64(i) * 3, ConfigHash: "0123456789abcdef",
		}
		if i%5 == 0 {
			rows[i].Outcome, rows[i].Reason, rows[i].PageType = "failed", "panic", "article"
		}
		if i%4 == 2 {
			rows[i].TemplateID, rows[i].TemplatePages, rows[i].InSample, rows[i].Coverage, rows[i].Notes = "a1", 25, page%2 == 0, float64(i%8)/8, "no_match"
			rows[i].TemplateMethod, rows[i].TemplateStatus, rows[i].LOO, rows[i].Cluster = "rbm-td", "ok", page%2 == 0, int64(page%3)
		}
		switch i % 6 {
		case 2:
			rows[i].Kept = schemas.Yes
		case 3:
			rows[i].Kept, rows[i].LeftOutBy = schemas.No, "not noindex"
		}
		if i%3 == 0 {
			rows[i].Spans = []int32{int32(i), int32(i + 5), int32(i + 9), int32(i + 90)}
		}
		if i%3 == 1 {
			rows[i].Spans = []int32{}
		}
	}
	return rows
}

// pages returns the rows of n pages.
func pages(n int) []schemas.Page {
	rows := make([]schemas.Page, n)
	for i := range rows {
		rows[i] = schemas.Page{
			Run: "r1", Package: fmt.Sprint("pkg", i%3), DocID: fmt.Sprintf("doc-%06d", i), URL: fmt.Sprintf("https://site%d.example/story/%d?ü", i%7, i),
			PageID: uint64(i) * 0x9e3779b97f4a7c15, Site: fmt.Sprintf("site%d.example", i%7), SiteBy: "host", File: "file:///crawl/a.warc.gz",
			Offset: int64(i) * 20011, Ordinal: int32(i % 2), RecordID: fmt.Sprintf("<urn:uuid:%d>", i), Date: "2024-05-06T07:08:09Z",
			HTTPStatus: 200, Charset: "utf-8", CharsetSource: "http", Replaced: int64(i % 4), PageType: []string{"", "forum"}[i%2], GoldLanguage: "de",
			HTMLBytes: int64(i)*31 + 4000, ParseNS: int64(i) * 17, FactsNS: 5, FactsFailed: []string{"", "rights:panic"}[i%2], Flags: "truncated",
			Complexity: float64(i%8) / 8, PageConsensus: 0.5,
		}
	}
	return rows
}

func encode[T any](t testing.TB, table *Table[T], rows []T, size Size) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(table, &out, "r1", "hash", size)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if err := w.Append(&rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w.Rows() != int64(len(rows)) {
		t.Fatalf("wrote %d rows, want %d", w.Rows(), len(rows))
	}
	return out.Bytes()
}

func decode[T any](t testing.TB, table *Table[T], data []byte) []T {
	t.Helper()
	r, err := NewReader(table, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if want := (Meta{table.Name(), schemas.Version, "r1", "hash"}); r.Meta() != want {
		t.Errorf("meta %+v, want %+v", r.Meta(), want)
	}
	rows := []T{}
	for row, err := range r.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, *row)
	}
	return rows
}

func roundTrip[T any](t *testing.T, table *Table[T], rows []T) {
	t.Helper()
	for _, size := range []Size{{}, ShardSize, {Rows: 7, Fast: true}, {Bytes: 1, Fast: true}} {
		data := encode(t, table, rows, size)
		if got := decode(t, table, data); !reflect.DeepEqual(got, rows) {
			t.Errorf("%s, size %+v: rows differ: got %d, want %d", table.Name(), size, len(got), len(rows))
		}
		if again := encode(t, table, rows, size); !bytes.Equal(data, again) {
			t.Errorf("%s, size %+v: the same rows gave other bytes", table.Name(), size)
		}
	}
}

func TestRowsSurvive(t *testing.T) {
	roundTrip(t, Documents, documents(50))
	roundTrip(t, Documents, []schemas.Document{})
	roundTrip(t, Pages, pages(9))
	roundTrip(t, Scores, []schemas.ScoreRow{
		{Run: "r", Package: "p", DocID: "d", Extractor: "bte", Scorer: "str", Precision: 0.25, Recall: 1, F1: 0.4, Value: 0,
			Common: 1, Extracted: 4, Gold: 1, RUndefined: true, Method: "anchored", Spans: "aligned", CommonHigh: 3, Universe: 9, Coverage: 0.75, Baseline: 0.5},
		{Run: "r", Package: "p", DocID: "d", Extractor: "dsc", Scorer: "str", PUndefined: true},
	})
	roundTrip(t, Links, []schemas.LinkRow{
		{Run: "r", Package: "p", DocID: "d", URL: "http://a.example/", PageID: 1 << 63, Target: "https://b.example/", AnchorText: "a page", Rel: "nofollow", InMain: schemas.Yes, MainBy: "winnow"},
		{Run: "r", Package: "p", DocID: "d", URL: "http://a.example/", PageID: 1 << 63, Position: 1, Target: "https://c.example/", InMain: schemas.No, MainBy: "winnow"},
		{Run: "r", Package: "p", DocID: "e", Target: "https://b.example/"},
	})
	roundTrip(t, Packages, []schemas.PackageRow{{Run: "r", Package: "p", PageType: "forum", Extractor: "e", Scorer: "s", Documents: 3, Failures: 1, Skipped: 5,
		Scored: 2, Answered: 2, SkippedGold: 4, Mean: "micro", Headline: .6, MeanPrecision: 1, MeanRecall: .5, MeanF1: .25, SDF1: .1, SDValue: .1, CILow: 0, CIHigh: 1,
		P05: .1, P50: .2, P95: .3, HeadlinePrecision: .5, HeadlineRecall: .3, PrecisionN: 1, RecallN: 2, MeanSkippedPlain: .3, SPerKB: 7, MBPerS: 8, TrainedOn: true, Bound: true}})
	roundTrip(t, Speed, []schemas.SpeedRow{{Run: "r", Package: "p", PageType: "forum", Extractor: "e", Documents: 3, Failures: 1, Empties: 1, Skipped: 5, Reasons: "panic:1",
		HTMLBytes: 9, ExtractNS: 8, TotalNS: 5, PagesPerS: 9, SPerKB: 7, MBPerS: 8, TotalPagesPerS: 8, TotalMBPerS: 6, AgreeMean: .3, ConsensusF1: .2,
		ExtractNSAt: schemas.Percentiles{P50: 1.5, P90: 2, P99: 3}, TotalNSAt: schemas.Percentiles{P50: 4, P90: 5, P99: 6},
		HTMLBytesAt: schemas.Percentiles{P50: 7, P90: 8, P99: 9}, TextCharsAt: schemas.Percentiles{P50: 10, P90: 11, P99: 12}}})
	roundTrip(t, Agreement, []schemas.AgreementRow{{Run: "r", Package: "p", ExtractorA: "a", ExtractorB: "b", Documents: 3, MeanF1: .5, BothEmpty: 1, Failed: 2, SumE9: 1_500_000_000}})
	roundTrip(t, TextsOf(&schemas.Recipe{}), []schemas.Text{{Run: "r", Package: "p", DocID: "d", URL: "u", Extractor: "e", Text: "ein\nText\x00", PageID: 1 << 63, HTTPStatus: 200, TextChars: 9, TextHash: 7, Confidence: 0.5}, {Text: ""}})
	roundTrip(t, Templates, []schemas.TemplateRow{{Run: "r", Site: "a.example", Method: "iwptd", Status: "ok", Pages: 25, Linked: 16, Bytes: 900,
		Clusters: 2, Flags: "truncated", TemplateID: "t", LearnNS: 7, SiteBy: "host", Version: 2, Learned: 1714980000}, {Status: "too_few_pages"}})
	roundTrip(t, Duplicates, []schemas.Duplicate{{Run: "r", Package: "p", DocID: "d", URL: "u", Extractor: "e", Cluster: 2, ClusterSize: 3, Jaccard: .875}, {Kept: true}})
	roundTrip(t, Failures, []schemas.Failure{{Run: "r", File: "f", Offset: 1, Length: 2, Stage: "read", Reason: "cut",
		Severity: "lost", Detail: "…", Attempts: 3}, {}})
}

func TestAbsentNumbersAreNull(t *testing.T) {
	rows := []schemas.ScoreRow{{Reason: "no_gold", Precision: 0.5, F1: 1}, {F1: math.NaN(), Recall: math.Inf(1)}}
	got := decode(t, Scores, encode(t, Scores, rows, Size{}))
	if !math.IsNaN(got[0].Precision) || !math.IsNaN(got[0].F1) || got[0].Reason != "no_gold" {
		t.Errorf("a row with a reason has numbers: %+v", got[0])
	}
	if got[0].CommonHigh != 0 || got[0].Universe != 0 || !math.IsNaN(got[0].Coverage) {
		t.Errorf("what does not exist is stored: %+v", got[0])
	}
	if !math.IsNaN(got[1].F1) || !math.IsNaN(got[1].Recall) || got[1].Precision != 0 {
		t.Errorf("NaN or infinity was stored: %+v", got[1])
	}
}

// A small file has no zstd pages, because the library would make encoders for each of them;
// a larger one has.
func TestSmallFilesAreCompressedFast(t *testing.T) {
	codecs := func(data []byte, column string) compress.Compression {
		r, err := file.NewParquetReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		group := r.MetaData().RowGroup(0)
		chunk, err := group.ColumnChunk(r.MetaData().Schema.ColumnIndexByName(column))
		if err != nil {
			t.Fatal(err)
		}
		return chunk.Compression()
	}
	few, many := documents(60), documents(20_000)
	if got := codecs(encode(t, Documents, few, Size{}), "doc_id"); got != compress.Codecs.Snappy {
		t.Errorf("a small file: %v", got)
	}
	if got := codecs(encode(t, Documents, many, Size{}), "doc_id"); got != compress.Codecs.Zstd {
		t.Errorf("a large file: %v", got)
	}
}

// Texts are in pages of about pageBytes, of which readers skip those that they do not want.
func TestPagesOfTexts(t *testing.T) {
	rows := make([]schemas.Text, 2000)
	for i := range rows {
		rows[i].Text = strings.Repeat("grain and chaff ", 256)
	}
	r, err := file.NewParquetReader(bytes.NewReader(encode(t, Texts, rows, PartSize)))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := r.RowGroup(0).GetColumnPageReader(r.MetaData().Schema.ColumnIndexByName("text"))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for pages.Next() {
		count++
	}
	if want := len(rows) * len(rows[0].Text) / pageBytes; count < want-1 || count > want+1 {
		t.Errorf("%d pages, not about %d", count, want)
	}
}
