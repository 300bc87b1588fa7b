package worker

import (
	"mime"

	"github.com/winnow/winnow/pipeline/payload"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// MayBePageOrGold says of which records the block is needed: those that may be
// pages, and the gold behind them.
func MayBePageOrGold(h *warc.Header) bool {
	switch h.Type() {
	case warc.TypeResponse, warc.TypeResource:
		return true
	case warc.TypeMetadata:
		return isGold(string(h.Get("content-type")))
	}
	return false
}

func isGold(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && media == schemas.GoldMediaType
}

// MessageOf is what a record that may be a page carries.
func MessageOf(rec *warc.Record) payload.Message {
	m := payload.Message{Kind: payload.Response, Block: rec.Block}
	if rec.Type == warc.TypeResource {
		m.Kind, m.ContentType = payload.Resource, rec.ContentType
	}
	return m
}
