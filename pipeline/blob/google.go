package blob

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"cloud.google.com/go/auth"
	"cloud.google.com/go/auth/credentials"
	"google.golang.org/api/googleapi"
)

// googleBucket is a bucket of Google Cloud Storage, spoken to by its JSON
// interface (https://cloud.google.com/storage/docs/json_api). Google's own client
// library is not used, because its support of gRPC, load balancing and telemetry would
// make up half of a program that needs seven kinds of request. Google's libraries look up
// the credentials and read the errors.
type googleBucket struct {
	server string            // "https://storage.googleapis.com"
	bucket string            // the bucket, as a path: "/b/NAME/o"
	name   string            // "gs://NAME"
	creds  *auth.Credentials // nil sends none
	http   *http.Client
	retry  Retry // how the parts of an upload are retried
}

// errNoBucket means that a bucket was not found; a missing object has the same
// status.
var errNoBucket = errors.New("there is no such bucket")

func openGoogle(_ context.Context, name string, s *settings, r Retry) (driver, error) {
	server, anonymous := "https://storage.googleapis.com", s.flag("anonymous")
	if host := os.Getenv("STORAGE_EMULATOR_HOST"); host != "" {
		if _, ok := urlScheme(host); !ok {
			host = "http://" + host
		}
		server, anonymous = strings.TrimSuffix(host, "/"), true
	}
	b := &googleBucket{
		server: server,
		bucket: "/b/" + url.PathEscape(name) + "/o",
		name:   "gs://" + name,
		retry:  r,
		// A redirect is an error, because the credentials are for this server only.
		// Status 308 also means that an upload is to be continued.
		http: &http.Client{
			Transport:     r.transport(http.DefaultTransport),
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	if anonymous {
		return b, nil
	}
	creds, err := credentials.DetectDefault(&credentials.DetectOptions{
		Scopes: []string{"https://www.googleapis.com/auth/devstorage.read_write"},
	})
	if err != nil {
		return nil, denied(err, "%s (%v)", keysOfGoogle, err)
	}
	b.creds = creds
	return b, nil
}

// objects is the URL of a bucket's objects, object that of one of them.
func (b *googleBucket) objects() string          { return b.server + "/storage/v1" + b.bucket }
func (b *googleBucket) object(key string) string { return b.objects() + b.element(key) }
func (*googleBucket) element(key string) string  { return "/" + url.PathEscape(key) }

// do sends a request. The caller closes the body of an answer.
func (b *googleBucket) do(ctx context.Context, method, u string, query url.Values, header http.Header, body []byte) (*http.Response, error) {
	if len(query) > 0 {
		u += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, u, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		req.Header[name] = values
	}
	if err := b.authorize(ctx, req); err != nil {
		return nil, err
	}
	resp, err := b.http.Do(req)
	if err != nil {
		return nil, err
	}
	if err := googleapi.CheckResponse(resp); err != nil && resp.StatusCode != http.StatusPermanentRedirect {
		resp.Body.Close()
		return nil, err
	}
	return resp, nil
}

func (b *googleBucket) authorize(ctx context.Context, req *http.Request) error {
	if b.creds == nil {
		return nil
	}
	token, err := b.creds.Token(ctx)
	if err != nil {
		return fmt.Errorf("get a token of Google's: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+token.Value)
	// A user's own credentials name the project that is billed.
	if project, err := b.creds.QuotaProjectID(ctx); err == nil && project != "" {
		req.Header.Set("X-Goog-User-Project", project)
	}
	return nil
}

// ask sends a request and decodes its answer; a nil answer is not read.
func (b *googleBucket) ask(ctx context.Context, method, u string, query url.Values, answer any) error {
	resp, err := b.do(ctx, method, u, query, nil, nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if answer == nil {
		return nil
	}
	return json.NewDecoder(io.LimitReader(resp.Body, 64<<20)).Decode(answer)
}

// googleObject is an object as the interface describes it, with numbers as strings.
type googleObject struct {
	Name       string `json:"name"`
	Size       int64  `json:"size,string"`
	Generation string `json:"generation"`
}

func (o *googleObject) entry() entry { return entry{o.Name, o.Size, kindGeneration + o.Generation} }

func (b *googleBucket) stat(ctx context.Context, key string) (entry, error) {
	var o googleObject
	err := b.ask(ctx, http.MethodGet, b.object(key), url.Values{"fields": {"name,size,generation"}}, &o)
	return o.entry(), err
}

func (b *googleBucket) read(ctx context.Context, key, identity string, off, end int64) (io.ReadCloser, entry, error) {
	query := url.Values{"alt": {"media"}}
	if generation, ok := strings.CutPrefix(identity, kindGeneration); ok {
		query.Set("generation", generation)
	}
	resp, err := b.do(ctx, http.MethodGet, b.object(key), query, http.Header{
		"Range": {fmt.Sprintf("bytes=%d-%d", off, end-1)},
		// Without this header the server unpacks an object that is stored with gzip,
		// and the ranges would be of the unpacked bytes.
		"Accept-Encoding": {"gzip"},
	}, nil)
	if err != nil {
		return nil, entry{}, err
	}
	e := entry{key: key, size: rangeSize(resp.Header.Get("Content-Range"), resp.ContentLength)}
	if g := resp.Header.Get("X-Goog-Generation"); g != "" {
		e.identity = kindGeneration + g
	}
	return resp.Body, e, nil
}

func (b *googleBucket) list(ctx context.Context, prefix string, l listing) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		query := url.Values{"prefix": {prefix}, "fields": {"items(name,size,generation),prefixes,nextPageToken"}}
		if l.page > 0 {
			query.Set("maxResults", strconv.Itoa(l.page))
		}
		if l.folders {
			query.Set("delimiter", "/")
		}
		for more := true; more; {
			var found struct {
				Items         []googleObject `json:"items"`
				Prefixes      []string       `json:"prefixes"`
				NextPageToken string         `json:"nextPageToken"`
			}
			if err := b.ask(ctx, http.MethodGet, b.objects(), query, &found); err != nil {
				var fault *googleapi.Error
				if errors.As(err, &fault) && fault.Code == http.StatusNotFound {
					err = fmt.Errorf("%w: %w", errNoBucket, err)
				}
				yield(entry{}, err)
				return
			}
			for i := range found.Items {
				if !yield(found.Items[i].entry(), nil) {
					return
				}
			}
			for _, p := range found.Prefixes {
				if !yield(entry{key: p}, nil) {
					return
				}
			}
			more = found.NextPageToken != ""
			query.Set("pageToken", found.NextPageToken)
		}
	}
}

// copy repeats its request until the store reports the end of the copy: a large object
// that changes its storage class takes several requests.
func (b *googleBucket) copy(ctx context.Context, from, to string) error {
	u := b.object(from) + "/rewriteTo" + b.bucket + b.element(to)
	query := url.Values{}
	for {
		var answer struct {
			Done         bool   `json:"done"`
			RewriteToken string `json:"rewriteToken"`
		}
		if err := b.ask(ctx, http.MethodPost, u, query, &answer); err != nil || answer.Done {
			return err
		}
		query.Set("rewriteToken", answer.RewriteToken)
	}
}

func (b *googleBucket) delete(ctx context.Context, key string) error {
	return b.ask(ctx, http.MethodDelete, b.object(key), nil, nil)
}
