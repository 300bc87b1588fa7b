package warc

import (
	"bytes"
	"compress/gzip"
	"fmt"
)

// record returns a valid WARC record.
func record(typ, uri, block string) string {
	return recordWith(typ, uri, fmt.Sprint(len(block)), block) + "\r\n\r\n"
}

// recordWith returns a record with any Content-Length, without the separator.
func recordWith(typ, uri, length, block string) string {
	return "WARC/1.0\r\nWARC-Type: " + typ + "\r\nWARC-Target-URI: " + uri +
		"\r\nWARC-Date: 2020-02-02T02:02:02Z\r\nWARC-Record-ID: <urn:uuid:" + uri +
		">\r\nContent-Length: " + length + "\r\n\r\n" + block
}

// gz returns one gzip member.
func gz(content string) []byte { return gzLevel(content, gzip.DefaultCompression) }

func gzLevel(content string, level int) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		panic(err)
	}
	z.Write([]byte(content))
	z.Close()
	return b.Bytes()
}
