package main

import (
	"errors"
	"os"
	"strings"
	"time"

	"github.com/winnow/winnow/pipeline/warc/write"
)

// hostileURL is the URL of the page that needs much memory, and hostileFile its archive.
const (
	hostileURL  = "http://hostile.example/deep"
	hostileFile = "hostile.warc.gz"
)

// writeHostile writes an archive of one page that has as many elements as a page may have,
// each with an attribute.
func writeHostile(file string) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	page := "<html><body>" + strings.Repeat("<p class=a><b>x</b> y", 1<<20) + "</body></html>"
	block, err := write.HTTPResponse("200 OK", []write.Field{{Name: "Content-Type", Value: "text/html"}}, []byte(page))
	if err != nil {
		return err
	}
	return write.NewWriter(f).Write(&write.Record{Type: "response", ID: write.ID("node", hostileURL), Date: time.Unix(0, 0), TargetURI: hostileURL,
		ContentType: "application/http; msgtype=response", Block: block})
}
