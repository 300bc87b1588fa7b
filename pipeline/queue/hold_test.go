package queue

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/winnow/winnow/schemas"
)

func TestHold(t *testing.T) {
	const tenure = 4 * time.Second
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
	if err := a.Setup(t.Context(), Limits{Bytes: 64 << 20, Tenure: tenure}); err != nil {
		t.Fatal(err)
	}
	refuses := func(err error, by string) {
		t.Helper()
		var held *HeldError
		if !errors.As(err, &held) || held.Holder != by || held.Tenure != tenure {
			t.Fatalf("%v, want that %s holds it", err, by)
		}
	}
	refused := func(q *Queue, run schemas.RunID, by string) {
		t.Helper()
		_, _, err := q.Hold(t.Context(), run, "x")
		refuses(err, by)
	}
	hold := func(q *Queue, run schemas.RunID, by string) (context.Context, func()) {
		t.Helper()
		held, release, err := q.Hold(t.Context(), run, by)
		if err != nil {
			t.Fatal(err)
		}
		return held, release
	}

	// One holds a run; others hold others.
	held, release := hold(a, "r.1", "a")
	refused(b, "r.1", "a")
	refused(a, "r.1", "a") // no second time either
	_, other := hold(b, "r2", "b")
	other()

	// It is kept as long as its holder is there, and free as soon as it is released.
	time.Sleep(tenure * 3 / 2)
	refused(b, "r.1", "a")
	if held.Err() != nil {
		t.Fatal(context.Cause(held))
	}
	release()
	if held.Err() == nil {
		t.Error("released and held")
	}
	held, release = hold(b, "r.1", "b")
	refused(a, "r.1", "b")

	// A holder that is cut off knows it before another one can hold the run.
	b.nc.Close()
	<-held.Done()
	if !errors.Is(context.Cause(held), ErrLost) {
		t.Error(context.Cause(held))
	}
	for {
		_, free, err := a.Hold(t.Context(), "r.1", "a")
		if err == nil {
			free()
			break
		}
		refuses(err, "b")
		time.Sleep(50 * time.Millisecond)
	}
	release() // of no effect any more

	// A mark that somebody else removed, and wrote anew, is lost.
	c, d := connect(), connect()
	held, release = hold(c, "r3", "c")
	defer release()
	if err := d.Free(t.Context(), "r3"); err != nil {
		t.Fatal(err)
	}
	_, release = hold(d, "r3", "d")
	defer release()
	<-held.Done()
	if !errors.Is(context.Cause(held), ErrLost) {
		t.Error(context.Cause(held))
	}
}
