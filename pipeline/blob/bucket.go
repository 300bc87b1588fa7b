package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"cloud.google.com/go/storage"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	azureobject "github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"gocloud.dev/blob"
	"gocloud.dev/blob/azureblob"
	"gocloud.dev/blob/gcsblob"
	"gocloud.dev/blob/s3blob"
)

// isBucketScheme says whether a URL scheme is one of the object stores'. The
// drivers announce themselves to the bucket library when they are imported.
func isBucketScheme(scheme string) bool {
	return scheme == s3blob.Scheme || scheme == gcsblob.Scheme || scheme == azureblob.Scheme
}

// splitBucketURL cuts a URL into that of its bucket, with the settings in the
// query ("s3://bucket?region=eu-west-1"), and the key.
func splitBucketURL(u *url.URL) (bucket, key string) {
	b := *u
	b.Path, b.RawPath, b.Fragment = "", "", ""
	return b.String(), strings.TrimPrefix(u.Path, "/")
}

// bucketObject is one object of a bucket.
type bucketObject struct {
	bucket bucket
	key    string
}

func (b bucketObject) stat(ctx context.Context) (size int64, identity string, err error) {
	a, err := b.bucket.Attributes(ctx, b.key)
	if err != nil {
		return 0, "", b.bucket.fault(ctx, err)
	}
	var g storage.ObjectAttrs
	switch {
	case a.As(&g):
		return a.Size, generation(g.Generation), nil
	case a.ETag != "":
		return a.Size, entityTag(a.ETag), nil
	}
	return a.Size, modified(a.ModTime), nil
}

// listedIdentity is the identity of an object as a listing tells it, or "" if
// that takes a stat.
func listedIdentity(o *blob.ListObject) string {
	var s types.Object
	var g storage.ObjectAttrs
	var z container.BlobItem
	switch {
	case o.As(&s) && s.ETag != nil:
		return entityTag(*s.ETag)
	case o.As(&g):
		return generation(g.Generation)
	case o.As(&z) && z.Properties != nil && z.Properties.ETag != nil:
		return entityTag(string(*z.Properties.ETag))
	}
	return ""
}

// entityTag is an identity made of an entity tag as requests bear it. Azure's
// listings leave out the quotes (RFC 9110, 8.8.3).
func entityTag(tag string) string {
	if !strings.HasSuffix(tag, `"`) {
		tag = `"` + tag + `"`
	}
	return "etag:" + tag
}

func generation(n int64) string { return "generation:" + strconv.FormatInt(n, 10) }

func modified(t interface{ UnixNano() int64 }) string {
	return "mtime:" + strconv.FormatInt(t.UnixNano(), 10)
}

// fetch requests [off, end) on condition that the object is the planned one,
// and checks the answer as well: not every server that speaks a protocol knows
// its conditions.
func (b bucketObject) fetch(size int64, identity string) func(ctx context.Context, off, end int64) (io.ReadCloser, error) {
	return func(ctx context.Context, off, end int64) (io.ReadCloser, error) {
		r, err := b.bucket.NewRangeReader(ctx, b.key, off, end-off, &blob.ReaderOptions{
			BeforeRead: func(as func(any) bool) error { return setCondition(as, identity) },
		})
		if err != nil {
			return nil, b.whyNot(ctx, b.bucket.fault(ctx, err), identity)
		}
		if r.Size() != size {
			err = changed("size is %d, was %d", r.Size(), size)
		} else if id := readIdentity(r); id != "" && identity != "" && id != identity {
			err = changed("identity is %s, was %s", id, identity)
		}
		if err != nil {
			r.Close()
			return nil, err
		}
		return r, nil
	}
}

// whyNot tells an object that was replaced from one that is gone: Google's store
// does not find a generation that is no more.
func (b bucketObject) whyNot(ctx context.Context, err error, identity string) error {
	if errors.Is(err, ErrNotFound) {
		if _, id, serr := b.stat(ctx); serr == nil && identity != "" && id != identity {
			return changed("identity is %s, was %s", id, identity)
		}
	}
	return err
}

// setCondition makes a request fail if the object is no longer identity.
func setCondition(as func(any) bool, identity string) error {
	kind, value, _ := strings.Cut(identity, ":")
	switch kind {
	case "etag":
		var s *s3.GetObjectInput
		var z *azblob.DownloadStreamOptions
		switch {
		case as(&s):
			s.IfMatch = &value
		case as(&z):
			tag := azcore.ETag(value)
			z.AccessConditions = &azureobject.AccessConditions{
				ModifiedAccessConditions: &azureobject.ModifiedAccessConditions{IfMatch: &tag},
			}
		}
	case "generation":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return fmt.Errorf("identity %q: %w", identity, err)
		}
		var g **storage.ObjectHandle
		if as(&g) {
			*g = (*g).Generation(n)
		}
	}
	return nil
}

// readIdentity is the identity that came with the bytes.
func readIdentity(r *blob.Reader) string {
	var s s3.GetObjectOutput
	var g *storage.Reader
	var z azureobject.DownloadStreamResponse
	switch {
	case r.As(&s) && s.ETag != nil:
		return entityTag(*s.ETag)
	case r.As(&g) && g != nil:
		return generation(g.Attrs.Generation)
	case r.As(&z) && z.ETag != nil:
		return entityTag(string(*z.ETag))
	}
	return ""
}
