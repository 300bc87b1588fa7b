package blob

import (
	"fmt"
	"io"
	"net/url"
	"strings"
)

// Within says where an Object lies inside another object: at which offset, and how many
// bytes the other object has. It is zero for an object that is stored by itself.
type Within struct {
	Offset int64
	Size   int64
}

// Part returns the object that consists of size bytes of o, beginning at offset, and is
// called name within o. Reading it reads o. It has o's identity, so that a change of o
// is a change of the part.
func (o Object) Part(name string, offset, size int64) (Object, error) {
	if offset < 0 || size < 0 || offset > o.Size-size {
		return Object{}, fmt.Errorf("blob: part %q of %s: %d bytes at offset %d, the object has %d", name, PublicURL(o.URL), size, offset, o.Size)
	}
	part := o
	part.Within = Within{Offset: o.Within.Offset + offset, Size: o.Size}
	if o.Within.Size > 0 {
		part.Within.Size = o.Within.Size
	}
	part.Size = size
	separator := "#"
	if strings.Contains(o.URL, "#") {
		separator = "/"
	}
	part.URL = o.URL + separator + (&url.URL{Path: name}).EscapedPath()
	return part, nil
}

// whole returns the object that contains a part.
func (o Object) whole() Object {
	o.URL, _, _ = strings.Cut(o.URL, "#")
	o.Size, o.Within = o.Within.Size, Within{}
	return o
}

// section is the Source of a part.
type section struct {
	Source
	at, size int64
}

func (s section) Size() int64 { return s.size }

func (s section) Expect(end int64) { s.Source.Expect(s.at + min(end, s.size)) }

// ReadAt implements io.ReaderAt.
func (s section) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("blob: read at negative offset %d", off)
	}
	rest := s.size - off
	if rest <= 0 {
		return 0, io.EOF
	}
	if int64(len(p)) <= rest {
		return s.Source.ReadAt(p, s.at+off)
	}
	n, err := s.Source.ReadAt(p[:rest], s.at+off)
	if err == nil {
		err = io.EOF
	}
	return n, err
}
