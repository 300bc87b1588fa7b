// Package blob reads ranges of input files and publishes output files completely or not
// at all. It does not interpret the bytes.
//
// # Reading
//
// Inputs are local files and objects of S3, Google Cloud Storage, Azure Blob
// Storage and web servers. Client.Expand turns what a user wrote (paths, globs,
// folders, list files, URLs) into Objects with a size and an identity, at the
// cost of one stat each; Client.Open then reads any range of an Object. An
// object that is no longer the one that was planned is an error (ErrChanged),
// never a mixture of two versions.
//
// A Source over the network is a stream with a window: reading on is one long request,
// stepping back a little needs no request, and a jump is a new request. This suits a
// reader of archives, which reads a range once from its start. A dropped connection is
// replaced by one that continues after the last byte received.
//
// # Writing
//
// A Store is an output folder: a local folder or a prefix of a bucket. A file
// appears under its name complete, or it does not appear; a name never leads out
// of the folder. Of several writers of a new file (CreateNew) exactly one wins,
// whichever machines they are on; the log of commits relies on this. Every
// implementation passes the suite in blobtest.
//
// The object store of a JetStream broker is not supported: it reads a file from its
// beginning only, and cannot refuse a name that is taken, but tables and the log of
// commits need both. A cluster without a shared folder or a bucket needs an object
// store of its own.
//
// # Errors
//
// Six classes matter to callers and are found by errors.Is: ErrTransient (the
// same call may succeed later), ErrNotFound, ErrEmpty (which is an ErrNotFound too),
// ErrChanged, ErrExists and ErrDenied. Anything else is final: the same call will fail again.
//
// # Credentials
//
// Each provider's own library looks up credentials in the variables and files that the
// provider's tools use (AWS_ACCESS_KEY_ID, GOOGLE_APPLICATION_CREDENTIALS,
// AZURE_STORAGE_ACCOUNT and so on). An Object never contains credentials.
// Settings of a bucket, such as its region, follow a "?" in its URL.
//
// This package is internal to Winnow and may change in any release.
package blob

import (
	"errors"
	"io"
)

// Classes of errors. Every error of this package is of one class or of none.
var (
	// ErrTransient means that the same call may succeed later. The package has already
	// retried with back-off.
	ErrTransient = errors.New("temporary fault")
	// ErrNotFound means that no file or object has that name.
	ErrNotFound = errors.New("not found")
	// ErrEmpty means that a folder, or a pattern, leads to no file. Such an error is an
	// ErrNotFound, too.
	ErrEmpty = errors.New("no archives there")
	// ErrChanged means that the object is not the one that was planned: its size
	// or identity differs.
	ErrChanged = errors.New("object changed")
	// ErrExists means that there is a file of that name already.
	ErrExists = errors.New("exists already")
	// ErrDenied means that this process may not use a bucket, or that there is no
	// such bucket: credentials are missing or wrong, or a name is. The same call may
	// succeed on another machine, or once this is corrected.
	ErrDenied = errors.New("denied")
)

// Object is one input as it was when it was looked at.
type Object struct {
	// URL names it: file, s3, gs, azblob, http or https.
	URL string
	// Size in bytes.
	Size int64
	// Identity distinguishes this version from a later one: an entity tag, a generation
	// or a modification time. It is empty if the server reports only the size.
	Identity string
	// Ranges reports whether a range can be read by itself. If not, reading from offset n
	// reads the n bytes before it first.
	Ranges bool
	// Within is set if the object is a part of another one, such as a file that is
	// stored in a zip: URL then names the other and, after a "#", the part.
	Within Within
}

// File is a finished file that can be read at any offset.
type File interface {
	io.ReaderAt
	io.Closer
	// Size in bytes.
	Size() int64
}

// Source is an opened Object.
type Source interface {
	File
	// Expect announces that bytes will be read in order up to about end. It only
	// sets the size of requests; reading elsewhere stays correct.
	Expect(end int64)
	// Check verifies that the object is still the one that was opened, as far as
	// that costs no request: what was read over a network was verified as it came.
	Check() error
}
