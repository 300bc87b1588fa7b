package queue

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/winnow/winnow/schemas"
)

func TestLock(t *testing.T) {
	const expiry = 4 * time.Second
	s, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	connect := func() *Queue {
		q, err := Dial(t.Context(), Options{InProcess: s})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(q.Close)
		return q
	}
	a, b := connect(), connect()
	if err := a.Setup(t.Context(), Limits{Bytes: 64 << 20, LockExpiry: expiry}); err != nil {
		t.Fatal(err)
	}
	wantHolder := func(err error, holder string) {
		t.Helper()
		var locked *LockedError
		if !errors.As(err, &locked) || locked.Holder != holder || locked.Expiry != expiry {
			t.Fatalf("%v, want that %s has the lock", err, holder)
		}
	}
	refused := func(q *Queue, run schemas.RunID, holder string) {
		t.Helper()
		_, _, err := q.Lock(t.Context(), run, "x")
		wantHolder(err, holder)
	}
	lock := func(q *Queue, run schemas.RunID, name string) (context.Context, func()) {
		t.Helper()
		locked, unlock, err := q.Lock(t.Context(), run, name)
		if err != nil {
			t.Fatal(err)
		}
		return locked, unlock
	}

	// One process has the lock of a run. Other runs have locks of their own.
	locked, unlock := lock(a, "r.1", "a")
	refused(b, "r.1", "a")
	refused(a, "r.1", "a") // the holder cannot lock the run a second time either
	_, other := lock(b, "r2", "b")
	other()

	// The holder keeps the lock beyond its expiry, and unlock frees it at once.
	time.Sleep(expiry * 3 / 2)
	refused(b, "r.1", "a")
	if locked.Err() != nil {
		t.Fatal(context.Cause(locked))
	}
	unlock()
	if locked.Err() == nil {
		t.Error("the context of the lock has not ended after unlock")
	}
	locked, unlock = lock(b, "r.1", "b")
	refused(a, "r.1", "b")

	// A holder that is cut off learns of the loss before another process can get the
	// lock.
	b.nc.Close()
	<-locked.Done()
	if !errors.Is(context.Cause(locked), ErrLockLost) {
		t.Error(context.Cause(locked))
	}
	for {
		_, free, err := a.Lock(t.Context(), "r.1", "a")
		if err == nil {
			free()
			break
		}
		wantHolder(err, "b")
		time.Sleep(50 * time.Millisecond)
	}
	unlock() // has no effect any more

	// A lock that another process removed and acquired is lost.
	c, d := connect(), connect()
	locked, unlock = lock(c, "r3", "c")
	defer unlock()
	if err := d.RemoveLock(t.Context(), "r3"); err != nil {
		t.Fatal(err)
	}
	_, unlock = lock(d, "r3", "d")
	defer unlock()
	<-locked.Done()
	if !errors.Is(context.Cause(locked), ErrLockLost) {
		t.Error(context.Cause(locked))
	}
}

// A call that is canceled while it waits for the broker's answer leaves no lock behind,
// whether the broker has created it or not.
func TestCanceledLockIsFree(t *testing.T) {
	s, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	q, err := Dial(t.Context(), Options{InProcess: s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	if err := q.Setup(t.Context(), Limits{Bytes: 64 << 20}); err != nil {
		t.Fatal(err)
	}
	canceled := 0
	for i := range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		timer := time.AfterFunc(time.Duration(i)*5*time.Microsecond, cancel)
		if _, unlock, err := q.Lock(ctx, "r", "canceled"); err == nil {
			unlock()
		} else if errors.Is(err, context.Canceled) {
			canceled++
		}
		timer.Stop()
		cancel()
		_, unlock, err := q.Lock(t.Context(), "r", "next")
		if err != nil {
			t.Fatalf("after call %d, of which %d were canceled: %v", i, canceled, err)
		}
		unlock()
	}
	if canceled == 0 {
		t.Skip("this machine is too fast: no call was canceled")
	}
}
