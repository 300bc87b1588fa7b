package blob

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"google.golang.org/api/googleapi"
)

// fault returns an error of the bucket's driver with its class.
func (b bucket) fault(ctx context.Context, err error) error { return fault(ctx, b.name, err) }

// fault classes an error of a driver and shortens it to the service's answer. An error
// that is not known to be final is transient.
func fault(ctx context.Context, bucket string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if f := (*failure)(nil); errors.As(err, &f) { // err has a class already
		return err
	}
	r, answered := replyOf(err)
	switch {
	case r.noBucket(err):
		return denied(err, "there is no bucket %s: %v", bucket, r)
	case r.denied():
		return denied(err, "no permission in %s: %v", bucket, r)
	case r.notFound():
		return classed(ErrNotFound, said{r.String(), err})
	case r.failedCondition():
		return classed(ErrChanged, said{r.String(), err})
	case answered:
		return classed(ErrTransient, said{r.String(), err})
	}
	if hint := missingKeys(err); hint != "" {
		return denied(err, "%s", hint)
	}
	return networkError(err)
}

// said is a driver's error with a shorter text.
type said struct {
	text string
	err  error
}

func (s said) Error() string { return s.text }
func (s said) Unwrap() error { return s.err }

// denied returns an ErrDenied with the given text.
func denied(err error, format string, args ...any) error {
	return classed(ErrDenied, said{fmt.Sprintf(format, args...), err})
}

// reply is the answer of a service.
type reply struct {
	status        int
	code, message string
	err           error // set if there was no answer
}

func (r reply) String() string {
	var parts []string
	for _, s := range []string{r.code, r.message} {
		if s != "" && !slices.Contains(parts, s) {
			parts = append(parts, s)
		}
	}
	text := strings.Join(parts, ": ")
	switch {
	case text == "" && r.status == 0:
		return r.err.Error()
	case r.status == 0:
		return text
	}
	return strings.TrimSpace(fmt.Sprintf("%s (HTTP %d)", text, r.status))
}

// replyOf finds the service's answer in an error, in the form of each provider.
func replyOf(err error) (r reply, answered bool) {
	r.err = err
	var google *googleapi.Error
	var azure *azcore.ResponseError
	var amazon interface {
		ErrorCode() string
		ErrorMessage() string
	}
	var response interface{ HTTPStatusCode() int }
	switch {
	case errors.As(err, &google):
		r.status, r.message = google.Code, google.Message
		if len(google.Errors) > 0 {
			r.code = google.Errors[0].Reason
		}
	case errors.As(err, &azure):
		r.status, r.code = azure.StatusCode, azure.ErrorCode
	case errors.As(err, &amazon):
		r.code, r.message = amazon.ErrorCode(), amazon.ErrorMessage()
		if errors.As(err, &response) {
			r.status = response.HTTPStatusCode()
		}
	default:
		return r, false
	}
	return r, true
}

// noBucket reports whether the answer means that the bucket does not exist. Google's store
// answers an upload to a missing bucket as if the object was missing.
func (r reply) noBucket(err error) bool {
	return r.code == "NoSuchBucket" || r.code == "ContainerNotFound" || errors.Is(err, errNoBucket)
}

func (r reply) notFound() bool {
	return r.status == http.StatusNotFound || slices.Contains([]string{"NoSuchKey", "NotFound", "BlobNotFound"}, r.code)
}

// failedCondition reports whether the object is not in the state that the request
// demanded. Azure has a status of its own for an object that must not exist.
func (r reply) failedCondition() bool {
	return r.status == http.StatusPreconditionFailed || slices.Contains([]string{"PreconditionFailed", "BlobAlreadyExists"}, r.code)
}

// denied reports whether the service refuses the caller, whether it knows the caller or not.
// Amazon has codes of its own for this, one of them for a bucket in another region.
func (r reply) denied() bool {
	return r.status == http.StatusUnauthorized || r.status == http.StatusForbidden ||
		slices.Contains([]string{"ExpiredToken", "InvalidToken", "AuthorizationHeaderMalformed", "PermanentRedirect"}, r.code)
}
