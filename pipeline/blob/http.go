package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// webObject is one URL of a web server.
type webObject struct {
	client *http.Client
	url    string // what is stored and shown
	full   string // what is requested: with user and signature, if there are
}

// web returns the object of a URL, which may be public already or contain secrets.
func (c *Client) web(name string) webObject {
	c.Grant(name)
	public := PublicURL(name)
	full, ok := c.Granted(public)
	if !ok {
		full = public
	}
	return webObject{c.http, public, full}
}

// stat requests the first byte. The answer contains the size, the identity and whether
// the server supports ranges, even if the server refuses HEAD requests.
func (w webObject) stat(ctx context.Context) (Object, error) {
	obj := Object{URL: w.url}
	resp, err := w.get(ctx, "bytes=0-0", "")
	if err != nil {
		return obj, err
	}
	defer resp.Body.Close()
	obj.Identity = webIdentity(resp.Header)
	switch resp.StatusCode {
	case http.StatusPartialContent:
		_, _, total, err := contentRange(resp.Header)
		if err == nil && total < 0 {
			err = errors.New("server does not report the size")
		}
		obj.Size, obj.Ranges = total, true
		return obj, err
	case http.StatusRequestedRangeNotSatisfiable: // an empty object has no first byte
		if resp.Header.Get("Content-Range") == "bytes */0" {
			return obj, nil
		}
	case http.StatusOK:
		if resp.ContentLength < 0 {
			return obj, errors.New("server does not report the size")
		}
		obj.Size = resp.ContentLength
		return obj, checkEncoding(resp)
	}
	return obj, statusError(resp)
}

// fetch requests [off, end) of obj and checks that the answer is of obj.
func (w webObject) fetch(obj Object) func(ctx context.Context, off, end int64) (io.ReadCloser, error) {
	return func(ctx context.Context, off, end int64) (io.ReadCloser, error) {
		resp, err := w.get(ctx, fmt.Sprintf("bytes=%d-%d", off, end-1), obj.Identity)
		if err != nil {
			return nil, err
		}
		if err := checkPart(resp, obj, off, end); err != nil {
			resp.Body.Close()
			return nil, err
		}
		first, last, _, _ := contentRange(resp.Header)
		return limitBody(resp.Body, last-first+1), nil
	}
}

// whole requests all of obj.
func (w webObject) whole(obj Object) func(ctx context.Context) (io.ReadCloser, error) {
	return func(ctx context.Context) (io.ReadCloser, error) {
		resp, err := w.get(ctx, "", obj.Identity)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusOK {
			err = statusError(resp)
		} else if err = checkVersion(resp, obj); err == nil && resp.ContentLength >= 0 && resp.ContentLength != obj.Size {
			err = changed("size is %d, was %d", resp.ContentLength, obj.Size)
		}
		if err != nil {
			resp.Body.Close()
			return nil, err
		}
		return resp.Body, nil
	}
}

// get sends one request, on condition of identity if that can be a condition.
func (w webObject) get(ctx context.Context, ranges, identity string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(setOut(ctx), http.MethodGet, w.full, nil)
	if err != nil {
		return nil, withoutURL(err)
	}
	req.Header.Set("Accept-Encoding", "identity")
	if ranges != "" {
		req.Header.Set("Range", ranges)
	}
	// If-Match compares strongly, so a weak tag would never match (RFC 9110,
	// 13.1.1): weak tags and dates are compared with the answer's instead.
	if tag, ok := strings.CutPrefix(identity, "etag:"); ok && !strings.HasPrefix(tag, "W/") {
		req.Header.Set("If-Match", tag)
	}
	resp, err := w.client.Do(req)
	if err != nil {
		return nil, networkError(err)
	}
	return resp, nil
}

// checkPart verifies the answer to a request for [off, end) of obj.
func checkPart(resp *http.Response, obj Object, off, end int64) error {
	if resp.StatusCode == http.StatusOK {
		if err := checkVersion(resp, obj); err != nil {
			return err
		}
		return errWhole
	}
	if resp.StatusCode != http.StatusPartialContent {
		return statusError(resp)
	}
	if err := checkVersion(resp, obj); err != nil {
		return err
	}
	first, last, total, err := contentRange(resp.Header)
	switch {
	case err != nil:
		return err
	case total >= 0 && total != obj.Size:
		return changed("size is %d, was %d", total, obj.Size)
	case first != off || last >= end:
		// A cache may have confused its answers, and the next one may be right.
		return classed(ErrTransient, fmt.Errorf("server sent bytes %d-%d for %d-%d", first, last, off, end-1))
	}
	return nil
}

// checkVersion verifies that an answer is of obj, as far as it says so.
func checkVersion(resp *http.Response, obj Object) error {
	if err := checkEncoding(resp); err != nil {
		return err
	}
	if id := webIdentity(resp.Header); id != "" && obj.Identity != "" && id != obj.Identity {
		return changed("identity is %s, was %s", id, obj.Identity)
	}
	return nil
}

// checkEncoding refuses answers that a server or proxy compressed on the way although
// the request forbids it, because their bytes are not the object's.
func checkEncoding(resp *http.Response) error {
	// Servers label .gz files themselves with gzip. That is harmless: the bytes
	// are the file's, which its size and tag confirm.
	if e := resp.Header.Get("Content-Encoding"); e != "" && e != "identity" && e != "gzip" && e != "x-gzip" {
		return fmt.Errorf("server sent Content-Encoding %q, which the request does not accept", e)
	}
	return nil
}

// webIdentity is the entity tag, or else the modification time, or else "".
func webIdentity(h http.Header) string {
	if tag := h.Get("ETag"); tag != "" {
		return "etag:" + tag
	}
	if m := h.Get("Last-Modified"); m != "" {
		return "modified:" + m
	}
	return ""
}

// contentRange reads "bytes FIRST-LAST/TOTAL"; total is -1 for "*".
func contentRange(h http.Header) (first, last, total int64, err error) {
	v := h.Get("Content-Range")
	bad := fmt.Errorf("server sent Content-Range %q", v)
	unit, rest, _ := strings.Cut(v, " ")
	span, size, ok := strings.Cut(rest, "/")
	a, b, ok2 := strings.Cut(span, "-")
	if !strings.EqualFold(unit, "bytes") || !ok || !ok2 {
		return 0, 0, 0, bad
	}
	first, err1 := strconv.ParseInt(a, 10, 64)
	last, err2 := strconv.ParseInt(b, 10, 64)
	total, err3 := int64(-1), error(nil)
	if size != "*" {
		total, err3 = strconv.ParseInt(size, 10, 64)
	}
	if err1 != nil || err2 != nil || err3 != nil || first < 0 || last < first || total >= 0 && last >= total {
		return 0, 0, 0, bad
	}
	return first, last, total, nil
}

// statusError returns the error for an answer whose status is not a success.
func statusError(resp *http.Response) error {
	err := fmt.Errorf("server answered %s", resp.Status)
	switch code := resp.StatusCode; {
	case code == http.StatusNotFound || code == http.StatusGone:
		return classed(ErrNotFound, err)
	case code == http.StatusPreconditionFailed || code == http.StatusRequestedRangeNotSatisfiable:
		return classed(ErrChanged, err)
	case code == http.StatusTooManyRequests || code == http.StatusRequestTimeout || code >= 500:
		return &failure{class: ErrTransient, err: err, wait: retryAfter(resp.Header, time.Now()), status: code}
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		// Some hosts of crawls also answer so to clients that send too many requests.
		// An immediate retry would make that worse, so the fault is not transient: the
		// queue delivers the item again after a while.
		return &failure{class: ErrDenied, err: err, status: code}
	}
	return err
}

type limitedBody struct {
	io.Reader
	io.Closer
}

func limitBody(body io.ReadCloser, n int64) io.ReadCloser {
	return limitedBody{io.LimitReader(body, n), body}
}
