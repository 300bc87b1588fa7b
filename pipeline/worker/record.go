package worker

import (
	"mime"

	"github.com/winnow/winnow/pipeline/payload"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// MayBePageOrGold says of which records the block is needed: those that may be
// pages, and the gold behind them. Conversion records are never pages: what was made
// of a page by another program is no source. Digests are not checked, and pages of
// damaged units are kept, with a flag: there are no settings for these
// (spec warc-input, 4.1 C14, 4.3 H12, 4.4 R5).
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
