package payload

import (
	"bytes"
	"strings"
)

// documents are the media types of files that people read and Winnow does not.
var documents = map[string]Reason{
	"application/pdf": DocumentPDF, "application/x-pdf": DocumentPDF,
	"application/msword": DocumentWord, "application/rtf": DocumentWord, "text/rtf": DocumentWord,
	"application/vnd.ms-excel": DocumentSheet, "application/vnd.ms-powerpoint": DocumentSlides,
	"application/epub+zip": DocumentBook, "application/x-mobipocket-ebook": DocumentBook,
}

// families are the beginnings of media types of office files; templates, and files with
// macros, have endings of their own.
var families = []struct {
	prefix string
	reason Reason
}{
	{"application/vnd.openxmlformats-officedocument.wordprocessingml.", DocumentWord},
	{"application/vnd.openxmlformats-officedocument.spreadsheetml.", DocumentSheet},
	{"application/vnd.openxmlformats-officedocument.presentationml.", DocumentSlides},
	{"application/vnd.ms-word.", DocumentWord},
	{"application/vnd.ms-excel.", DocumentSheet},
	{"application/vnd.ms-powerpoint.", DocumentSlides},
	{"application/vnd.oasis.opendocument.text", DocumentWord},
	{"application/vnd.oasis.opendocument.spreadsheet", DocumentSheet},
	{"application/vnd.oasis.opendocument.presentation", DocumentSlides},
}

// otherMedia returns why a payload of a media type other than HTML is not a page. An unknown
// type is told by the first bytes if it is that of a PDF.
func otherMedia(name string, known bool, payload []byte) Reason {
	if reason, is := documents[name]; is {
		return reason
	}
	if !known && bytes.HasPrefix(payload, []byte("%PDF-")) {
		return DocumentPDF
	}
	for _, f := range families {
		if strings.HasPrefix(name, f.prefix) {
			return f.reason
		}
	}
	return OtherMedia
}
