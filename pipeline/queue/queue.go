package queue

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/pipeline/retry"
	"github.com/winnow/winnow/schemas"
)

// These are errors that callers distinguish.
var (
	ErrNotFound = errors.New("not found")
	ErrConflict = errors.New("changed by someone else") // the revision is not the current one
)

// Options describe which broker to use and how. The zero value of every field but
// URL is useful.
type Options struct {
	URL    string // "nats://host:4222", several separated by commas
	Prefix string // prefix of the names of streams, subjects and buckets; default "winnow"
	Name   string // name of this client, as the broker lists it
	// Inbox is the prefix of the subjects of answers to this client; default "_INBOX".
	// Clients that share a prefix can read each other's answers.
	Inbox string

	Credentials string // file with a user's JWT and seed
	NKey        string // file with an NKey seed
	RootCA      string // file with the certificate authority of the broker
	// Cert and Key are files with this client's certificate, for a broker that
	// verifies its clients.
	Cert, Key string

	// InProcess connects to a server in this process instead of URL.
	InProcess nats.InProcessConnProvider

	// Wait bounds how long Dial tries to connect; default 30 s. A connection that is
	// lost later is retried without limit.
	Wait time.Duration

	Log *slog.Logger // default: nothing is logged

	ackWait time.Duration // see PublishItems; default ackWait
}

// Queue is a connection to the broker. It may be used by many goroutines.
type Queue struct {
	nc     *nats.Conn
	js     jetstream.JetStream
	prefix string
	log    *slog.Logger
}

// Dial connects, trying until the broker answers, opt.Wait is over or ctx ends.
func Dial(ctx context.Context, opt Options) (*Queue, error) {
	if opt.Prefix == "" {
		opt.Prefix = "winnow"
	}
	if err := checkToken(opt.Prefix); err != nil {
		return nil, fmt.Errorf("queue: prefix: %w", err)
	}
	if err := CheckURL(opt.URL); err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	if opt.Wait == 0 {
		opt.Wait = 30 * time.Second
	}
	if opt.ackWait == 0 {
		opt.ackWait = ackWait
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithTimeout(ctx, opt.Wait)
	defer cancel()

	q := &Queue{prefix: opt.Prefix, log: opt.Log}
	nopts, err := connectOptions(opt)
	if err != nil {
		return nil, err
	}
	var nc *nats.Conn
	policy := retry.Policy{First: 50 * time.Millisecond, Longest: 2 * time.Second,
		Temporary: func(err error) (time.Duration, bool) { return 0, retryable(err) }}
	var last error // the reason, also when ctx ends
	err = policy.Do(ctx, func() error {
		nc, last = nats.Connect(opt.URL, nopts...)
		return last
	})
	if err != nil {
		return nil, opt.refused(last)
	}
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(maxPending), jetstream.WithPublishAsyncTimeout(opt.ackWait))
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("queue: %s: %w", publicURL(opt.URL), err)
	}
	q.nc, q.js = nc, js
	return q, nil
}

// refused returns the error of an attempt to connect that failed with err. A broker that
// requires a client certificate may say so or only close the connection, because the
// handshake is over when it notices that there is none.
func (o *Options) refused(err error) error {
	var (
		server *tls.CertificateVerificationError // the broker's certificate was not accepted
		alert  tls.AlertError
	)
	name := publicURL(o.URL)
	secured := strings.HasPrefix(o.URL, "tls://") || errors.Is(err, nats.ErrTLS) || errors.As(err, &alert)
	if secured && o.Cert == "" && !errors.As(err, &server) && !errors.Is(err, nats.ErrNoServers) {
		return fmt.Errorf("queue: %s: %w (does the broker ask for a client certificate?)", name, err)
	}
	return fmt.Errorf("queue: %s: %w", name, err)
}

// CheckURL returns an error if an element of a list of brokers, separated by commas, is not a
// URL, or has a scheme that the client of NATS does not know: the client would take any such
// scheme for nats, and wait. The error names no password.
func CheckURL(brokers string) error {
	for b := range strings.SplitSeq(brokers, ",") {
		b = strings.TrimSpace(b)
		scheme, _, ok := strings.Cut(b, "://")
		if ok && !slices.Contains([]string{"nats", "tls", "ws", "wss"}, strings.ToLower(scheme)) {
			return fmt.Errorf("%s: want nats://HOST:PORT, or tls, ws or wss in place of nats", publicURL(b))
		}
		if !ok {
			b = "nats://" + b
		}
		if _, err := url.Parse(b); err != nil { // its text quotes the URL with the password
			return fmt.Errorf("%s: this is not a URL: want nats://HOST:PORT, with special characters of a password percent-encoded", publicURL(b))
		}
	}
	return nil
}

// publicURL returns a list of brokers without users, passwords and tokens, for errors
// and logs. It removes everything before the last @ of each, even if the rest is not a
// URL.
func publicURL(brokers string) string {
	list := strings.Split(brokers, ",")
	for i, b := range list {
		scheme, rest, ok := strings.Cut(b, "://")
		if !ok {
			scheme, rest = "", b
		} else {
			scheme += "://"
		}
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			rest = rest[at+1:]
		}
		list[i] = scheme + rest
	}
	return strings.Join(list, ",")
}

func connectOptions(opt Options) ([]nats.Option, error) {
	nopts := []nats.Option{
		nats.Name(opt.Name),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(250 * time.Millisecond),
		nats.ReconnectJitter(250*time.Millisecond, 500*time.Millisecond),
		// Requests fail while there is no connection, instead of being buffered by the
		// client. Every caller has a retry that suits its request.
		nats.ReconnectBufSize(-1),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				opt.Log.Warn("queue: connection lost", "reason", err)
			}
		}),
		nats.ReconnectHandler(func(nc *nats.Conn) {
			opt.Log.Info("queue: connected again", "server", nc.ConnectedServerName())
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) {
				// The server sends no answer to a request that it refuses, so that the
				// request times out as if the broker were slow.
				opt.Log.Error("queue: no permission at the broker: check the user's permissions in its configuration", "reason", err)
				return
			}
			opt.Log.Debug("queue: client", "reason", err)
		}),
	}
	if opt.Inbox != "" {
		nopts = append(nopts, nats.CustomInboxPrefix(opt.Inbox))
	}
	if opt.InProcess != nil {
		nopts = append(nopts, nats.InProcessServer(opt.InProcess))
	}
	if opt.Credentials != "" {
		nopts = append(nopts, nats.UserCredentials(opt.Credentials))
	}
	if opt.NKey != "" {
		o, err := nats.NkeyOptionFromSeed(opt.NKey)
		if err != nil {
			return nil, fmt.Errorf("queue: nkey %s: %w", opt.NKey, err)
		}
		nopts = append(nopts, o)
	}
	if opt.RootCA != "" {
		nopts = append(nopts, nats.RootCAs(opt.RootCA))
	}
	if opt.Cert != "" {
		nopts = append(nopts, nats.ClientCert(opt.Cert, opt.Key))
	}
	return nopts, nil
}

// retryable reports whether a failed attempt to connect may succeed later. Wrong
// credentials and unreadable options stay wrong.
func retryable(err error) bool {
	return !errors.Is(err, nats.ErrAuthorization) && !errors.Is(err, nats.ErrAuthExpired) &&
		!errors.Is(err, nats.ErrNkeysNotSupported) && !errors.Is(err, nats.ErrSecureConnRequired) &&
		!strings.Contains(err.Error(), "parse ")
}

// Close sends buffered messages and ends the connection.
func (q *Queue) Close() {
	// Drain would also wait for subscriptions, and the only ones left belong to readers
	// that are not used any more.
	if q.nc.IsConnected() {
		_ = q.nc.FlushTimeout(2 * time.Second)
	}
	q.nc.Close()
}

// Ready returns the reason why no work can be done at this moment, or nil.
func (q *Queue) Ready() error {
	if !q.nc.IsConnected() {
		return fmt.Errorf("queue: broker is %s", strings.ToLower(q.nc.Status().String()))
	}
	return nil
}

// Transient reports whether err may go away by itself, because the broker is not
// reachable, slow, or electing a leader.
func Transient(err error) bool {
	for _, t := range []error{
		nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting,
		nats.ErrReconnectBufExceeded, nats.ErrNoServers, nats.ErrStaleConnection, nats.ErrConnectionClosed,
		context.DeadlineExceeded, jetstream.ErrNoStreamResponse, jetstream.ErrConsumerLeadershipChanged,
		jetstream.ErrServerShutdown, jetstream.ErrNoHeartbeat, jetstream.ErrAsyncPublishTimeout,
	} {
		if errors.Is(err, t) {
			return true
		}
	}
	var api *jetstream.APIError
	return errors.As(err, &api) && api.Code >= 500
}

// token returns a run's name as one token of a subject or key.
func token(id schemas.RunID) string { return strings.ReplaceAll(string(id), ".", "=") }

// checkToken returns an error for a text that may not be part of a subject, a key or the
// name of a stream.
func checkToken(s string) error {
	if s == "" {
		return errors.New("empty")
	}
	for _, c := range s {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return fmt.Errorf("%q: only letters, digits, '-' and '_' may be used", s)
		}
	}
	return nil
}

func (q *Queue) streamName(kind string) string { return strings.ToUpper(q.prefix) + "_" + kind }
func (q *Queue) bucket(kind string) string     { return q.prefix + "_" + kind }

func (q *Queue) runSubject(run schemas.RunID) string { return q.prefix + ".runs." + token(run) }
func (q *Queue) itemsSubject(run schemas.RunID, ph schemas.Phase) string {
	return q.prefix + ".items." + token(run) + "." + string(ph)
}
func (q *Queue) doneSubject(run schemas.RunID) string { return q.prefix + ".done." + token(run) }
func (q *Queue) deadSubject(run schemas.RunID) string { return q.prefix + ".dead." + token(run) }

func aggregatorsName(run schemas.RunID) string { return "aggregators_" + token(run) }

func consumerName(run schemas.RunID, ph schemas.Phase) string {
	return "workers_" + token(run) + "_" + string(ph)
}
