package blob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	azureobject "github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
)

// azureBucket is a container of Azure Blob Storage.
type azureBucket struct{ client *container.Client }

// openAzure opens a container with the credentials that the variables hold. They
// are, in this order: a connection string, an account's key, a SAS token, and the
// identity of the machine or of the user who has logged in.
func openAzure(_ context.Context, name string, s *settings, r Retry) (driver, error) {
	account := cmp.Or(s.text("storage_account"), os.Getenv("AZURE_STORAGE_ACCOUNT"))
	domain := cmp.Or(s.text("domain"), os.Getenv("AZURE_STORAGE_DOMAIN"), "blob.core.windows.net")
	protocol := cmp.Or(s.text("protocol"), os.Getenv("AZURE_STORAGE_PROTOCOL"), "https")
	anonymous := s.flag("anonymous")
	key, token := os.Getenv("AZURE_STORAGE_KEY"), os.Getenv("AZURE_STORAGE_SAS_TOKEN")
	var options *container.ClientOptions // nil for those of the library
	if r.budget != nil {
		options = &container.ClientOptions{ClientOptions: azcore.ClientOptions{Transport: r.client(&http.Client{Transport: newTransport((&net.Dialer{Timeout: 30 * time.Second}).DialContext)})}}
	}
	connection := cmp.Or(os.Getenv("AZURE_STORAGE_CONNECTION_STRING"), os.Getenv("AZURE_STORAGEBLOB_CONNECTIONSTRING"))
	if connection != "" && key == "" && token == "" && !anonymous {
		client, err := container.NewClientFromConnectionString(connection, name, options)
		return azureBucket{client}, err
	}
	if account == "" {
		return nil, denied(errors.New("no account"), accountOfAzure)
	}
	u, err := azureURL(protocol, domain, account, name)
	if err != nil {
		return nil, err
	}
	client, err := newAzureClient(u, anonymous, key, token, account, s, options)
	return azureBucket{client}, err
}

// azureURL returns the URL of a container. An emulator, whose host is an address or this
// machine, has the account in the path.
func azureURL(protocol, domain, account, name string) (*url.URL, error) {
	if protocol != "http" && protocol != "https" {
		return nil, fmt.Errorf("protocol %q of Azure's storage: want https or http", protocol)
	}
	base := &url.URL{Scheme: protocol, Host: account + "." + domain}
	if strings.HasPrefix(domain, "127.0.0.1") || strings.HasPrefix(domain, "localhost") {
		base = &url.URL{Scheme: protocol, Host: domain, Path: "/" + account}
	}
	return base.JoinPath(name), nil
}

func newAzureClient(u *url.URL, anonymous bool, key, token, account string, s *settings, options *container.ClientOptions) (*container.Client, error) {
	switch {
	case anonymous:
		return container.NewClientWithNoCredential(u.String(), options)
	case key != "":
		cred, err := azureobject.NewSharedKeyCredential(account, key)
		if err != nil {
			return nil, fmt.Errorf("AZURE_STORAGE_KEY: %w", err)
		}
		return container.NewClientWithSharedKeyCredential(u.String(), cred, options)
	case token != "":
		// The token is part of every request's URL. A person who names an input must not be
		// able to direct it to another server.
		if s.values.Has("domain") || s.values.Has("protocol") || s.values.Has("storage_account") {
			return nil, denied(errors.New("another server"), "AZURE_STORAGE_SAS_TOKEN is valid for one account: settings of the URL may not name another server")
		}
		u.RawQuery = strings.TrimPrefix(token, "?")
		return container.NewClientWithNoCredential(u.String(), options)
	}
	cred, err := azidentity.NewDefaultAzureCredential(nil)
	if err != nil {
		return nil, err
	}
	return container.NewClient(u.String(), cred, options)
}

func (b azureBucket) stat(ctx context.Context, key string) (entry, error) {
	p, err := b.client.NewBlobClient(key).GetProperties(ctx, nil)
	if err != nil {
		return entry{}, err
	}
	identity := entityTag(string(deref(p.ETag)))
	if identity == "" {
		identity = modified(deref(p.LastModified))
	}
	return entry{key, deref(p.ContentLength), identity}, nil
}

func (b azureBucket) read(ctx context.Context, key, identity string, off, end int64) (io.ReadCloser, entry, error) {
	o := azureobject.DownloadStreamOptions{Range: azureobject.HTTPRange{Offset: off, Count: end - off}}
	if tag, ok := strings.CutPrefix(identity, kindTag); ok {
		match := azcore.ETag(tag)
		o.AccessConditions = &azureobject.AccessConditions{
			ModifiedAccessConditions: &azureobject.ModifiedAccessConditions{IfMatch: &match},
		}
	}
	out, err := b.client.NewBlobClient(key).DownloadStream(ctx, &o)
	if err != nil {
		return nil, entry{}, err
	}
	return out.Body, entry{key, rangeSize(deref(out.ContentRange), deref(out.ContentLength)), entityTag(string(deref(out.ETag)))}, nil
}

func (b azureBucket) write(ctx context.Context, key string, r io.Reader, fresh bool) error {
	media := contentType
	o := blockblob.UploadStreamOptions{
		BlockSize: uploadPart, Concurrency: uploadParallel,
		HTTPHeaders: &azureobject.HTTPHeaders{BlobContentType: &media},
	}
	if fresh {
		none := azcore.ETagAny
		o.AccessConditions = &azureobject.AccessConditions{
			ModifiedAccessConditions: &azureobject.ModifiedAccessConditions{IfNoneMatch: &none},
		}
	}
	_, err := b.client.NewBlockBlobClient(key).UploadStream(ctx, r, &o)
	return err
}

func (b azureBucket) list(ctx context.Context, prefix string, l listing) iter.Seq2[entry, error] {
	if l.folders {
		return b.folders(ctx, prefix)
	}
	return func(yield func(entry, error) bool) {
		o := container.ListBlobsFlatOptions{Prefix: &prefix}
		if l.page > 0 {
			n := int32(l.page)
			o.MaxResults = &n
		}
		for pages := b.client.NewListBlobsFlatPager(&o); pages.More(); {
			out, err := pages.NextPage(ctx)
			if err != nil {
				yield(entry{}, err)
				return
			}
			if out.Segment == nil {
				continue
			}
			for _, item := range out.Segment.BlobItems {
				e := entry{key: deref(item.Name)}
				if p := item.Properties; p != nil {
					e.size, e.identity = deref(p.ContentLength), entityTag(string(deref(p.ETag)))
				}
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

func (b azureBucket) folders(ctx context.Context, prefix string) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		for pages := b.client.NewListBlobsHierarchyPager("/", &container.ListBlobsHierarchyOptions{Prefix: &prefix}); pages.More(); {
			out, err := pages.NextPage(ctx)
			if err != nil {
				yield(entry{}, err)
				return
			}
			if out.Segment == nil {
				continue
			}
			for _, p := range out.Segment.BlobPrefixes {
				if !yield(entry{key: deref(p.Name)}, nil) {
					return
				}
			}
		}
	}
}

func (b azureBucket) copy(ctx context.Context, from, to string) error {
	target := b.client.NewBlobClient(to)
	begun, err := target.StartCopyFromURL(ctx, b.client.NewBlobClient(from).URL(), nil)
	if err != nil {
		return err
	}
	// Within an account the copy is almost always complete when the answer arrives.
	state := deref(begun.CopyStatus)
	for state == azureobject.CopyStatusTypePending {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(500 * time.Millisecond):
		}
		p, err := target.GetProperties(ctx, nil)
		if err != nil {
			return err
		}
		state = deref(p.CopyStatus)
	}
	if state != azureobject.CopyStatusTypeSuccess {
		return fmt.Errorf("the store reports the copy as %q", state)
	}
	return nil
}

func (b azureBucket) delete(ctx context.Context, key string) error {
	_, err := b.client.NewBlobClient(key).Delete(ctx, nil)
	return err
}
