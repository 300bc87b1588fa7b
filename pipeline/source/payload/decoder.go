package payload

import (
	"fmt"
	"slices"

	"github.com/winnow/winnow/pipeline/source/payload/charset"
)

// Kind is the kind of content in the block of a record.
type Kind uint8

const (
	// Response is an HTTP response, including its head.
	Response Kind = iota
	// Resource is a payload without an HTTP head. Message.ContentType gives its type.
	Resource
)

// Message is the block of one record.
type Message struct {
	Kind Kind
	// ContentType is the media type of a resource, with parameters. It is not used
	// for a response, whose head declares its type.
	ContentType string
	Block       []byte
}

// Outcome is the result of decoding a message.
type Outcome uint8

const (
	Page    Outcome = iota // HTML holds the document
	NotPage                // a readable message that is not a page; Reason is its kind
	Refused                // declared to be a page, but not readable; Reason says why
)

var outcomeNames = [...]string{"page", "not-page", "refused"}

// String returns the outcome's lower-case name.
func (o Outcome) String() string { return outcomeNames[min(int(o), len(outcomeNames)-1)] }

// Reason is why there is no page. The set is closed.
type Reason string

const (
	// Kinds of readable messages that are not pages.
	OtherStatus Reason = "status"     // HTTP status that is not in Options.Statuses
	OtherMedia  Reason = "media-type" // media type other than HTML, declared or sniffed
	// The same for files with texts that people read.
	DocumentPDF    Reason = "document-pdf"
	DocumentWord   Reason = "document-word" // a document of a word processor
	DocumentSheet  Reason = "document-spreadsheet"
	DocumentSlides Reason = "document-slides"
	DocumentBook   Reason = "document-book"

	NotHTTP Reason = "not-http" // a response of another protocol, such as DNS

	// Reasons to refuse a message that was declared to be a page.
	HTTPMissing Reason = "http-missing"    // no HTTP head
	StatusBad   Reason = "http-status-bad" // no HTTP status line
	CodingBad   Reason = "ce-bad"          // content coding that yields nothing
	Binary      Reason = "binary-as-html"  // PDF, image, archive or NUL bytes declared as HTML
)

// Flags record what was odd about a message, or guessed.
type Flags uint32

const (
	FlagHeaderOdd         Flags = 1 << iota // line ends, folded lines, lines without colon
	FlagHeaderCut                           // the head does not end; there is no payload
	FlagTypeRepeated                        // several Content-Type fields; the last sound one counts
	FlagTypeSniffed                         // no media type declared; the payload begins like HTML
	FlagTransferUndone                      // the chunked coding is announced, but the payload is plain
	FlagChunkCut                            // chunks end before the last one
	FlagChunkBad                            // a chunk size is wrong; the rest is kept unchanged
	FlagCodingUndone                        // a content coding is announced, but the payload is plain
	FlagCodingOdd                           // a content coding was not announced, or was applied twice
	FlagCodingCut                           // coded content is damaged or cut; the beginning is kept
	FlagCodingBad                           // the content coding yields nothing; the payload is kept unchanged
	FlagCodingLayers                        // more codings than maxCodings; the others are not undone
	FlagPayloadOverLimit                    // cut at Options.MaxPayload
	FlagCharsetUnknown                      // an unknown charset was declared
	FlagCharsetReplaced                     // bytes that are invalid in the charset were replaced
	FlagCharsetOverridden                   // HTTP declares another charset than the BOM, or a meta element than the bytes have
)

var flagNames = [...]string{"http-header-odd", "http-header-cut", "type-repeated", "type-sniffed",
	"te-already-decoded", "chunk-cut", "chunk-bad", "ce-already-decoded", "ce-odd", "ce-cut", "ce-bad",
	"ce-layers", "payload-over-limit", "charset-unknown", "charset-replaced", "charset-overridden"}

// Names returns the names of the flags that are set, in a fixed order. The names are
// stable.
func (f Flags) Names() []string {
	var names []string
	for i, name := range flagNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Document is the result of decoding.
type Document struct {
	Outcome Outcome
	Reason  Reason // "" for a page

	// HTML is the document in valid UTF-8. It may be empty. It is valid until the
	// decoder's next call, and only as long as the block is, because it may be a part
	// of the block.
	HTML []byte

	Status    int    // status of the HTTP response; 0 if there is none
	Location  string // target of a redirect (301, 302, 303, 307, 308), as the head gives it
	MediaType string // as declared, in lower case without parameters; "" if none is declared

	// Fields are those of the HTTP response that say something about the page, in order:
	// Content-Language, X-Robots-Tag, Link, and those of text and data mining.
	Fields []Field

	Charset       string // WHATWG name
	CharsetSource charset.Source
	Replaced      int // number of replacement characters inserted for invalid bytes

	Flags Flags
}

const (
	maxHead    = 256 << 10 // bytes of an HTTP head
	maxCodings = 3         // content codings that are undone
)

// Options bound the cost of a message and say what counts as a page. The zero Options
// are the defaults.
type Options struct {
	Statuses   []int // HTTP statuses of responses that may be pages; default 200
	MaxPayload int   // bytes of decoded payload, before charset decoding; default 16 MiB
}

func (o Options) withDefaults() Options {
	if len(o.Statuses) == 0 {
		o.Statuses = []int{200}
	}
	if o.MaxPayload <= 0 {
		o.MaxPayload = 16 << 20
	}
	return o
}

// Decoder decodes one message after another. The zero Decoder is ready to use;
// it is not safe for concurrent use.
type Decoder struct {
	Options Options

	opt     Options
	head    head
	joined  []byte    // data of the chunks
	content [2][]byte // output of the content codings, used in turn
	turn    int
	codings codings
	charset charset.Decoder
}

// retained is the largest buffer that is kept for the next message.
const retained = 4 << 20

// reset prepares for the next message. It drops buffers above retained bytes, so that
// one very large message does not hold memory for ever.
func (d *Decoder) reset() {
	d.opt = d.Options.withDefaults()
	for _, b := range [...]*[]byte{&d.joined, &d.content[0], &d.content[1]} {
		if cap(*b) > retained {
			*b = nil
		}
	}
}

// Decode decodes the block of a record. It returns no error: a message that cannot be
// read has an outcome that says so.
func (d *Decoder) Decode(m Message) Document {
	d.reset()
	var doc Document
	payload, media := m.Block, charset.MediaType{}
	d.head.reset()
	if m.Kind == Response {
		if payload = d.response(&doc, m.Block); doc.Outcome != Page {
			return doc
		}
		media = d.head.media
	} else {
		media, _ = charset.ParseMediaType([]byte(m.ContentType))
	}
	doc.MediaType = media.Name
	if !media.Unknown() && !media.HTML() {
		doc.Outcome, doc.Reason = NotPage, otherMedia(media.Name, true, nil)
		return doc
	}
	payload = d.transfer(&doc, payload)
	payload, ok := d.undo(&doc, payload, media.HTML())
	switch {
	case !ok:
		doc.Outcome, doc.Reason = Refused, CodingBad
		return doc
	case media.Unknown() && !charset.IsHTML(payload):
		doc.Outcome, doc.Reason = NotPage, otherMedia(media.Name, false, payload)
		return doc
	case media.Unknown():
		doc.Flags |= FlagTypeSniffed
	case charset.IsBinary(payload):
		doc.Outcome, doc.Reason = Refused, Binary
		return doc
	}
	d.decodeText(&doc, payload, media.Charset)
	return doc
}

// File returns the payload of a message whatever its status and media type are, and its HTTP
// status, which is 0 for a resource. An error says why a payload cannot be read. The payload is
// valid until the next call, and as long as the block is.
func (d *Decoder) File(m Message) (payload []byte, status int, err error) {
	d.reset()
	var doc Document
	payload = m.Block
	d.head.reset()
	if m.Kind == Response {
		var reason Reason
		if payload, reason = d.head.parse(m.Block); reason != "" {
			return nil, 0, fmt.Errorf("payload: %s", reason)
		}
		status = d.head.status
	}
	payload, ok := d.undo(&doc, d.transfer(&doc, payload), false)
	if !ok {
		return nil, status, fmt.Errorf("payload: %s", CodingBad)
	}
	return payload, status, nil
}

// response reads the head and returns the payload. The outcome is Page if the status
// is that of a page.
func (d *Decoder) response(doc *Document, block []byte) []byte {
	payload, result := d.head.parse(block)
	doc.Status = d.head.status
	doc.Flags |= d.head.flags
	doc.Fields = d.head.kept
	switch {
	case result != "":
		doc.Outcome, doc.Reason = Refused, result
		if result == NotHTTP {
			doc.Outcome = NotPage
		}
		return nil
	case !slices.Contains(d.opt.Statuses, doc.Status):
		doc.Outcome, doc.Reason = NotPage, OtherStatus
		doc.MediaType = d.head.media.Name
		switch doc.Status {
		case 301, 302, 303, 307, 308:
			doc.Location = string(d.head.location)
		}
		return nil
	}
	return payload
}

// DecodeHTML decodes an HTML file. Its charset is decided, in this order, by the BOM,
// by hint (a charset label that may be empty), by the meta element, and by detection.
// The result is always a page.
func (d *Decoder) DecodeHTML(raw []byte, hint string) Document {
	d.reset()
	doc := Document{MediaType: "text/html"}
	if len(raw) > d.opt.MaxPayload {
		raw = raw[:d.opt.MaxPayload]
		doc.Flags |= FlagPayloadOverLimit
	}
	d.decodeText(&doc, raw, hint)
	return doc
}

// decodeText sets the fields of doc that the charset decides.
func (d *Decoder) decodeText(doc *Document, raw []byte, label string) {
	t := d.charset.Decode(raw, label)
	doc.HTML, doc.Charset, doc.CharsetSource, doc.Replaced = t.HTML, t.Charset, t.Source, t.Replaced
	if t.Unknown {
		doc.Flags |= FlagCharsetUnknown
	}
	if t.Overridden {
		doc.Flags |= FlagCharsetOverridden
	}
	if t.Replaced > 0 {
		doc.Flags |= FlagCharsetReplaced
	}
}

// MediaType returns the media type that a Content-Type field names, in lower case and
// without parameters. It returns "" if the field names none.
func MediaType(contentType string) string {
	m, _ := charset.ParseMediaType([]byte(contentType))
	return m.Name
}
