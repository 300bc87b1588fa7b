package main

import (
	"bytes"
	"fmt"
	"time"

	"github.com/winnow/winnow/pipeline/warc/write"
)

// archive returns a WARC file of n small pages, a kilobyte of HTML each. Number is that of
// the first page. No two pages are the same.
func archive(number, n int) ([]byte, error) {
	var b bytes.Buffer
	w := write.NewWriter(&b)
	when := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := number; i < number+n; i++ {
		body := fmt.Appendf(nil, "<!DOCTYPE html><html lang=en><head><title>Sack %d</title></head><body><nav><ul><li><a href=/>Mill</a><li><a href=/sacks>Sacks</a></ul></nav><main><h1>Sack %d</h1>", i, i)
		for p := range 3 {
			body = fmt.Appendf(body, "<p>Sack number %d came down from the loft at %d in the morning, and the miller weighed it twice. He wrote %d pounds into the book, because the wind had been poor, and put it beside the door for the carter to take to the town.</p>", i, 4+p, 100+i*(p+7)%83)
		}
		body = append(body, "</main><footer><a href=/imprint>Imprint</a></footer></body></html>"...)
		url := fmt.Sprintf("http://www.mill-%d.example/sacks/%d.html", i%1000, i)
		block, err := write.HTTPResponse("200 OK", []write.Field{{Name: "Content-Type", Value: "text/html; charset=utf-8"}}, body)
		if err != nil {
			return nil, err
		}
		err = w.Write(&write.Record{Type: "response", ID: write.ID("scale", fmt.Sprint(i)), Date: when, TargetURI: url,
			ContentType: "application/http; msgtype=response", Block: block})
		if err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}
