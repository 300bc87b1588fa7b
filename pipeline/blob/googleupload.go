package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// write uploads in a session (https://cloud.google.com/storage/docs/resumable-uploads):
// one request begins it, each of the following sends a part, and the last one states the
// size of the object, which then appears. Small objects are uploaded in the same way,
// because a session knows after a lost answer whether its own object was stored; a
// single request that is sent again would only find that some object exists.
func (b *googleBucket) write(ctx context.Context, key string, r io.Reader, fresh bool) error {
	query := url.Values{"uploadType": {"resumable"}, "name": {key}}
	if fresh {
		query.Set("ifGenerationMatch", "0")
	}
	var session string
	err := b.again(ctx, func() error {
		resp, err := b.do(ctx, http.MethodPost, b.server+"/upload/storage/v1"+b.bucket, query, http.Header{"X-Upload-Content-Type": {contentType}}, nil)
		if err != nil {
			return err
		}
		resp.Body.Close()
		session = resp.Header.Get("Location")
		return nil
	})
	if err != nil {
		return err
	}
	part := make([]byte, uploadPart) // a multiple of 256 KiB, as all parts but the last must be
	for off := int64(0); ; {
		n, err := io.ReadFull(r, part)
		last := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !last {
			return err
		}
		if err := b.writePart(ctx, session, part[:n], off, last); err != nil || last {
			return err
		}
		off += int64(n)
	}
}

// writePart uploads the bytes of an object from off on. After a fault it asks
// how many of them have arrived.
func (b *googleBucket) writePart(ctx context.Context, session string, part []byte, off int64, last bool) error {
	end, total := off+int64(len(part)), "*"
	if last {
		total = strconv.FormatInt(end, 10)
	}
	have, unsure := off, false
	put := func(from int64) (done bool, err error) {
		sent := fmt.Sprintf("bytes %d-%d/%s", from, end-1, total)
		if from == end {
			sent = "bytes */" + total
		}
		resp, err := b.do(ctx, http.MethodPut, session, nil, http.Header{"Content-Range": {sent}}, part[from-off:])
		if err != nil {
			return false, err
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusPermanentRedirect {
			return true, nil
		}
		have, err = arrived(resp.Header.Get("Range"), off, end)
		return have == end && !last, err
	}
	return b.again(ctx, func() error {
		if unsure {
			if done, err := put(end); done || err != nil {
				return err
			}
		}
		for {
			before := have
			unsure = true
			done, err := put(have)
			if done || err != nil {
				return err
			}
			if unsure = false; have == before {
				return errors.New("the server accepts no bytes of an upload")
			}
		}
	})
}

// arrived returns how many bytes of an upload a server has, from a header such as
// "bytes=0-42". The server had the bytes up to from before, and was sent those up to end.
func arrived(header string, from, end int64) (int64, error) {
	if header == "" && from == 0 {
		return 0, nil
	}
	_, text, _ := strings.Cut(header, "-")
	last, err := strconv.ParseInt(text, 10, 64)
	if err != nil || last+1 < from || last+1 > end {
		return from, fmt.Errorf("the server says that it has the range %q of an upload that is at %d to %d", header, from, end)
	}
	return last + 1, nil
}

// again repeats a request of an upload while its fault is temporary.
func (b *googleBucket) again(ctx context.Context, f func() error) error {
	return b.retry.do(ctx, func() error { return fault(ctx, b.name, f()) })
}
