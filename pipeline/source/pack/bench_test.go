package pack

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/warc/write"
)

// go test ./pipeline/source/pack -run '^$' -bench Write
//
// The throughput counts the bytes of the pages. Most of the time is spent on
// compression.
func BenchmarkWrite(b *testing.B) {
	dir := b.TempDir()
	paragraph := "<p>The wind takes the chaff, and the grain falls back where it was thrown from.</p>\n"
	var size int64
	for i := range 50 {
		page := fmt.Sprintf("<html><head><title>%d</title></head><body>", i) + strings.Repeat(paragraph, 100+i) + "</body></html>"
		size += int64(len(page))
		for name, text := range map[string]string{"html": page, "txt": strings.Repeat("The wind takes the chaff.\n", 100), "json": `{"language":"en"}`} {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d.%s", i, name)), []byte(text), 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		p, err := gold.Open(dir, gold.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		if done, err := Write(b.Context(), write.NewWriter(io.Discard), p, Options{}); err != nil || done.Documents != 50 {
			b.Fatal(done, err)
		}
		if err := p.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
