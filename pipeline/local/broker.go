package local

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// startWait bounds how long the broker may take to start, because it reads its store
// first.
const startWait = time.Minute

// broker is a NATS server with JetStream in this process. It listens on no port: the
// only connection to it is a pipe in memory.
type broker struct {
	*server.Server
	dir       string
	temporary bool
	log       *serverLog
}

// startBroker starts a server with its store in dir, or in a temporary folder if
// dir is "". A store that the server cannot read is removed, because everything in it
// can be rebuilt from the manifest.
func startBroker(dir string) (*broker, error) {
	b := &broker{dir: dir}
	if dir == "" {
		var err error
		if b.dir, err = os.MkdirTemp("", "winnow-nats-"); err != nil {
			return nil, fmt.Errorf("local: broker: %w", err)
		}
		b.temporary = true
	}
	// This error is shorter than the server's, if nothing can be written here.
	if err := os.MkdirAll(filepath.Dir(b.dir), 0o755); err != nil {
		return nil, fmt.Errorf("local: %w", err)
	}
	err := b.start()
	if err != nil && !b.temporary {
		if err = b.clear(); err == nil {
			err = b.start()
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("local: broker: store %s: %w", b.dir, err), b.stop(true))
	}
	return b, nil
}

func (b *broker) start() error {
	s, err := server.NewServer(&server.Options{
		ServerName: "winnow-local",
		DontListen: true, // in-process connections only
		JetStream:  true,
		StoreDir:   b.dir,
		NoSigs:     true, // signals are the program's
		NoLog:      true,
		// The default is three quarters of the disk's free space at this moment, which
		// on a nearly full disk is less than the streams' limits. A larger number
		// reserves nothing on the disk.
		JetStreamMaxStore: 8 << 30,
		// SyncAlways stays off: what the store loses in a power failure can be rebuilt
		// from the manifest, which is synced.
	})
	if err != nil {
		return err
	}
	log := &serverLog{broken: make(chan struct{})}
	s.SetLogger(log, false, false)
	s.Start()
	err = log.fatal() // because Start returns no error
	if err == nil && !s.ReadyForConnections(startWait) {
		err = errors.New("the server does not come up")
	}
	if err != nil {
		s.Shutdown()
		s.WaitForShutdown()
		return err
	}
	b.Server, b.log = s, log
	return nil
}

// serverLog keeps the fatal message of a server, and its first error. A server with one
// client in its own process only has errors of its store. A stream that once failed to
// write refuses all writes until the server is started again. All other messages are
// about clients and connections, which this process reports itself.
type serverLog struct {
	broken chan struct{} // closed by the first error

	mu    sync.Mutex
	err   error
	first error
}

func (l *serverLog) Fatalf(format string, v ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = fmt.Errorf(format, v...)
}

func (l *serverLog) fatal() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

func (l *serverLog) Errorf(format string, v ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.first == nil {
		l.first = fmt.Errorf(format, v...)
		close(l.broken)
	}
}

// failure returns the first error, or nil if there was none.
func (l *serverLog) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.first
}

func (l *serverLog) Warnf(string, ...any)   {}
func (l *serverLog) Noticef(string, ...any) {}
func (l *serverLog) Debugf(string, ...any)  {}
func (l *serverLog) Tracef(string, ...any)  {}

// stop ends the server. It removes the store if that is temporary or no longer needed.
func (b *broker) stop(remove bool) (err error) {
	if b.Server != nil {
		// Shutdown of a server with JetStream waits 50 ms if there are requests for messages,
		// so that clients on other machines hear of it. Here the only client is closed.
		err = b.DisableJetStream()
		b.Shutdown()
		b.WaitForShutdown()
	}
	if remove || b.temporary {
		err = errors.Join(err, b.clear())
	}
	return err
}

func (b *broker) clear() error {
	if err := os.RemoveAll(b.dir); err != nil {
		return fmt.Errorf("local: broker: %w", err)
	}
	// The folder above was made for the store as well, and is removed if it is empty.
	if parent := filepath.Dir(b.dir); filepath.Base(parent) == stateFolder {
		_ = os.Remove(parent)
	}
	return nil
}

// WhileIdle calls do, which deletes a run, while it holds the lock of the output folder that
// a URL names. If another process works there, the error is ErrInUse. First it removes the
// store of the broker, which an unfinished run leaves in the folder.
func WhileIdle(storeURL string, log *slog.Logger, do func() error) (err error) {
	out := diskPath(storeURL)
	if out == "" {
		return do()
	}
	state := filepath.Join(out, stateFolder)
	l, err := take(state, out, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.release()) }()
	probes, _ := filepath.Glob(filepath.Join(state, "probe-*")) // see writable; the pattern is valid
	for _, name := range append(probes, storeDir(out)) {
		if err := os.RemoveAll(name); err != nil {
			return fmt.Errorf("local: broker: %w", err)
		}
	}
	return do()
}

// stateFolder, below a local output folder, contains the broker's store while a run is
// not finished. Names that begin with a dot are not part of the output.
const stateFolder = ".winnow"

// storeDir returns the folder of the store for a run with output in dir. It is "" for
// output that is not on a disk of this machine.
func storeDir(dir string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, stateFolder, "nats")
}
