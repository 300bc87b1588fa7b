package blob

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	uploadtypes "github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// s3Bucket is a bucket of Amazon S3, or of a server that speaks its protocol.
type s3Bucket struct {
	name   string
	client *s3.Client
	upload *transfermanager.Client

	encryption uploadtypes.ServerSideEncryption
	key        string // name of the encryption key
}

func openS3(ctx context.Context, name string, s *settings, r Retry) (driver, error) {
	b := &s3Bucket{name: name, encryption: uploadtypes.ServerSideEncryption(s.text("ssetype")), key: s.text("kmskeyid")}
	endpoint, pathStyle, accelerate := s.text("endpoint"), s.flag("use_path_style"), s.flag("accelerate")
	options := []func(*config.LoadOptions) error{
		config.WithRegion(s.text("region")),
		config.WithSharedConfigProfile(s.text("profile")),
	}
	if s.flag("anonymous") {
		options = append(options, config.WithCredentialsProvider(aws.AnonymousCredentials{}))
	}
	cfg, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return nil, err
	}
	b.client = s3.NewFromConfig(cfg, func(o *s3.Options) {
		o.UsePathStyle, o.UseAccelerate = pathStyle, accelerate
		if endpoint != "" {
			o.BaseEndpoint = &endpoint
		}
		o.HTTPClient = r.client(o.HTTPClient)
	})
	b.upload = transfermanager.New(b.client, func(o *transfermanager.Options) {
		o.PartSizeBytes, o.Concurrency = uploadPart, uploadParallel
		// The manager does not inherit this setting from the client, and not every server
		// with this protocol knows the checksums that the manager would send.
		o.RequestChecksumCalculation = cfg.RequestChecksumCalculation
	})
	return b, nil
}

func (b *s3Bucket) stat(ctx context.Context, key string) (entry, error) {
	head, err := b.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &b.name, Key: &key})
	if err != nil {
		return entry{}, err
	}
	identity := entityTag(deref(head.ETag))
	if identity == "" {
		identity = modified(deref(head.LastModified))
	}
	return entry{key, deref(head.ContentLength), identity}, nil
}

func (b *s3Bucket) read(ctx context.Context, key, identity string, off, end int64) (io.ReadCloser, entry, error) {
	in := s3.GetObjectInput{Bucket: &b.name, Key: &key, Range: aws.String(fmt.Sprintf("bytes=%d-%d", off, end-1))}
	if tag, ok := strings.CutPrefix(identity, kindTag); ok {
		in.IfMatch = &tag
	}
	out, err := b.client.GetObject(ctx, &in)
	if err != nil {
		return nil, entry{}, err
	}
	return out.Body, entry{key, rangeSize(deref(out.ContentRange), deref(out.ContentLength)), entityTag(deref(out.ETag))}, nil
}

func (b *s3Bucket) write(ctx context.Context, key string, r io.Reader, fresh bool) error {
	in := transfermanager.UploadObjectInput{
		Bucket: &b.name, Key: &key, Body: r, ContentType: aws.String(contentType),
		ServerSideEncryption: b.encryption,
	}
	if b.key != "" {
		in.SSEKMSKeyID = &b.key
	}
	if fresh {
		in.IfNoneMatch = aws.String("*")
	}
	_, err := b.upload.UploadObject(ctx, &in)
	return err
}

func (b *s3Bucket) list(ctx context.Context, prefix string, l listing) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		in := s3.ListObjectsV2Input{Bucket: &b.name, Prefix: &prefix}
		if l.page > 0 {
			in.MaxKeys = aws.Int32(int32(l.page))
		}
		if l.folders {
			in.Delimiter = aws.String("/")
		}
		for pages := s3.NewListObjectsV2Paginator(b.client, &in); pages.HasMorePages(); {
			out, err := pages.NextPage(ctx)
			if err != nil {
				yield(entry{}, err)
				return
			}
			for i := range out.Contents {
				o := &out.Contents[i]
				if !yield(entry{deref(o.Key), deref(o.Size), entityTag(deref(o.ETag))}, nil) {
					return
				}
			}
			for _, p := range out.CommonPrefixes {
				if !yield(entry{key: deref(p.Prefix)}, nil) {
					return
				}
			}
		}
	}
}

func (b *s3Bucket) copy(ctx context.Context, from, to string) error {
	in := s3.CopyObjectInput{
		Bucket: &b.name, Key: &to, CopySource: aws.String(url.QueryEscape(b.name + "/" + from)),
		ServerSideEncryption: types.ServerSideEncryption(b.encryption),
	}
	if b.key != "" {
		in.SSEKMSKeyId = &b.key
	}
	_, err := b.client.CopyObject(ctx, &in)
	return err
}

func (b *s3Bucket) delete(ctx context.Context, key string) error {
	_, err := b.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.name, Key: &key})
	return err
}
