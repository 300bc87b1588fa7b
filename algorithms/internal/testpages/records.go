package testpages

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"

	"golang.org/x/net/html/charset"
)

// maxBlock is the size from which on a block is passed over: one of the shared crawl files
// has a page of 431 MB, which would need gigabytes here.
const maxBlock = 32 << 20

// EachRecord calls f with the header and the block of every record of a WARC file, plain
// or compressed with gzip, until one cannot be read. Program code reads archives by package
// warc, which looks for the next record after damage and which algorithms do not import.
func EachRecord(file io.Reader, f func(header textproto.MIMEHeader, block []byte)) error {
	r := bufio.NewReader(file)
	if magic, _ := r.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(r)
		if err != nil {
			return err
		}
		r = bufio.NewReader(z)
	}
	for {
		version, err := r.ReadString('\n')
		if errors.Is(err, io.EOF) && version == "" {
			return nil
		} else if err != nil {
			return err
		}
		if strings.TrimSpace(version) == "" {
			continue // records end with empty lines
		}
		if !strings.HasPrefix(version, "WARC/") {
			return fmt.Errorf("read record: %.40q is not the first line of one", version)
		}
		header, err := textproto.NewReader(r).ReadMIMEHeader()
		if err != nil {
			return err
		}
		length, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
		if err != nil {
			return err
		}
		if length > maxBlock {
			if _, err := io.CopyN(io.Discard, r, length); err != nil {
				return err
			}
			continue
		}
		block, err := io.ReadAll(io.LimitReader(r, length))
		if err != nil {
			return err
		}
		f(header, block)
	}
}

// OfResponse returns the page of an HTTP response, decoded, or nil if there is none.
func OfResponse(block []byte) []byte {
	response, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(block)), nil)
	if err != nil || response.StatusCode != http.StatusOK || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") {
		return nil
	}
	body := response.Body.(io.Reader)
	if response.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(body); err != nil {
			return nil
		}
	}
	data, err := io.ReadAll(body)
	if err != nil {
		return nil
	}
	return Decode(data, response.Header.Get("Content-Type"))
}

// Decode turns a page into valid UTF-8 by its byte order mark, its content type, its meta
// elements or its bytes.
func Decode(data []byte, contentType string) []byte {
	enc, _, _ := charset.DetermineEncoding(data, contentType)
	out, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		out = data // the encoding has no such bytes
	}
	return bytes.ToValidUTF8(out, []byte("\uFFFD"))
}
