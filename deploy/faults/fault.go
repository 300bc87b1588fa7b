package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// activeFault is a fault that lasts, and what ends it.
type activeFault struct {
	event
	until time.Time
	end   func()
}

// begin makes a fault happen. One that is not possible at this moment, because its target
// does not run or suffers from the same fault already, does not happen and is not counted.
func (w *world) begin(ctx context.Context, e event, now time.Time) {
	lasting := func(end func()) { w.active = append(w.active, activeFault{e, now.Add(e.For), end}) }
	for _, f := range w.active {
		if f.Kind == e.Kind && (f.Target == e.Target || e.Kind == bucket) {
			return
		}
	}
	happened := true
	switch e.Kind {
	case kill, restart, stop:
		happened = w.disturb(e, now, lasting)
	case cut, slow:
		front := w.broker(e.Target).front
		if e.Kind == cut {
			front.cut()
			lasting(front.allow)
		} else {
			front.slow(4 << 10)
			lasting(func() { front.slow(0) })
		}
	case duplicate:
		w.duplicate(ctx, e)
	case disk:
		if happened = w.disk.fill() == nil; happened {
			lasting(w.disk.free)
		}
	case bucket:
		w.store.set(e.Target)
		lasting(func() { w.store.set("") })
	case node:
		for name := range strings.SplitSeq(e.Target, "+") {
			w.broker(name).kill()
			w.broker(name).notYet = now.Add(e.For)
		}
	case wipe:
		b := w.broker(e.Target)
		b.kill()
		os.RemoveAll(b.store)
		b.notYet = now.Add(e.For)
	case forget:
		b := w.broker(e.Target)
		b.kill()
		os.RemoveAll(b.store)
		w.repeatIngest(now)
	case rollback:
		happened = w.rollback(e, lasting)
	case clock:
		c := w.clocks[e.Target]
		if happened = c.shift(e.By) == nil; happened {
			lasting(func() { _ = c.shift(0) })
		}
	}
	if happened {
		w.happened = append(w.happened, e)
	}
}

// expire ends the faults whose time is over.
func (w *world) expire(now time.Time) {
	var rest []activeFault
	over := w.active
	w.active = nil
	for _, f := range over {
		if now.Before(f.until) {
			rest = append(rest, f)
		} else {
			f.end()
		}
	}
	w.active = append(w.active, rest...)
}

func (w *world) broker(name string) *broker {
	for _, b := range w.brokers {
		if b.name == name {
			return b
		}
	}
	panic("the plan names no broker " + name)
}

// process returns a process by its name.
func (w *world) process(name string) *process {
	for _, p := range w.all {
		if p.name == name {
			return p
		}
	}
	return &w.broker(name).process
}

// disturb kills, ends or stops a process.
func (w *world) disturb(e event, now time.Time, lasting func(func())) bool {
	p := w.process(e.Target)
	if e.Kind == restart && p == w.all[0] && p.succeeded() {
		return p.start() == nil // ingest has ended, and starts again while its run is under way
	}
	if !p.running() || p.paused {
		return false
	}
	switch e.Kind {
	case kill:
		p.kill()
		p.notYet = now.Add(e.For)
	case restart:
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
	case stop:
		p.pause()
		lasting(p.resume)
	}
	return true
}

// duplicate publishes messages a second time, from a connection of its own to the broker.
func (w *world) duplicate(ctx context.Context, e event) {
	addr := w.brokers[0].front.addr()
	ctx, cancel := context.WithTimeout(ctx, e.For)
	w.extra.Go(func() {
		defer cancel()
		for ctx.Err() == nil { // the broker may be killed meanwhile
			_, _ = republish(ctx, addr, w.plan.Seed)
			sleep(ctx, 100*time.Millisecond)
		}
	})
}

// rollback keeps a copy of the broker's store, and puts it back later: what was written
// meanwhile is lost, as by a machine that loses power before it wrote to its disk.
func (w *world) rollback(e event, lasting func(func())) bool {
	b := w.broker(e.Target)
	b.kill() // a copy of files that are being written would be damaged in another way
	old := b.store + fmt.Sprintf("-%d", e.At)
	if os.CopyFS(old, os.DirFS(b.store)) != nil || b.start() != nil {
		return false
	}
	lasting(func() {
		if w.success() {
			return // nothing reads the broker's data any more, so nothing would remove them
		}
		b.kill()
		os.RemoveAll(b.store)
		if err := os.Rename(old, b.store); err == nil {
			w.repeatIngest(time.Now())
		}
	})
	return true
}

// repeatIngest starts ingest a second time with the same id, as deploy/README.md tells
// an operator to do if the broker has lost data.
func (w *world) repeatIngest(now time.Time) {
	ingest := w.all[0]
	ingest.kill()
	ingest.code = -1
	ingest.cmd = nil // so that it counts as not yet successful
	ingest.notYet = now.Add(time.Second)
}
