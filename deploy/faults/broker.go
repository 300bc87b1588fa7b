package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/winnow/winnow/deploy/internal/monitor"
)

// broker is a nats-server with its store, and the proxy by which programs reach it.
type broker struct {
	process
	store   string
	monitor string // URL of its HTTP server
	front   *proxy
}

// newBrokers starts one broker, or a cluster of several.
func newBrokers(ctx context.Context, program, dir string, free *ports, names []string) ([]*broker, error) {
	at := make([]struct{ client, monitor, route string }, len(names))
	var routes []string
	for i := range names {
		for _, p := range []*string{&at[i].client, &at[i].monitor, &at[i].route} {
			var err error
			if *p, err = free.next(); err != nil {
				return nil, err
			}
		}
		routes = append(routes, "nats://"+at[i].route)
	}
	var all []*broker
	for i, name := range names {
		b := &broker{store: filepath.Join(dir, name), monitor: "http://" + at[i].monitor}
		config := fmt.Sprintf("server_name: %s\nlisten: %q\nhttp: %q\njetstream {store_dir: %q}\n", name, at[i].client, at[i].monitor, b.store)
		if len(names) > 1 {
			// The addresses of the other brokers are not advertised, because clients are to
			// use the proxies alone.
			config += fmt.Sprintf("cluster {name: faults, listen: %q, no_advertise: true, routes: [%s]}\n", at[i].route, strings.Join(routes, ", "))
		}
		file := filepath.Join(dir, name+".conf")
		if err := os.WriteFile(file, []byte(config), 0o666); err != nil {
			return all, err
		}
		b.process = process{name: name, args: []string{program, "--config", file}, log: filepath.Join(dir, name+".log")}
		var err error
		if b.front, err = newProxy(at[i].client); err != nil {
			return all, err
		}
		all = append(all, b)
		if err := b.start(); err != nil {
			return all, err
		}
	}
	for _, b := range all {
		if err := b.await(ctx, "/healthz", 30*time.Second); err != nil {
			return all, err
		}
	}
	return all, nil
}

// await waits until the broker's monitor answers a path without an error: /healthz if the
// broker says that it is healthy, /varz if it runs.
func (b *broker) await(ctx context.Context, path string, patience time.Duration) error {
	for deadline := time.Now().Add(patience); ; {
		var answer struct{}
		err := monitor.Get(ctx, b.monitor+path, &answer)
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s does not answer: %w", b.name, err)
		}
		if !sleep(ctx, 50*time.Millisecond) {
			return context.Cause(ctx)
		}
	}
}

// left returns the streams that still hold messages although their run has ended.
func (b *broker) left(ctx context.Context) ([]string, error) {
	var state struct {
		Accounts []struct {
			Streams []struct {
				Name  string
				State struct{ Messages int }
			} `json:"stream_detail"`
		} `json:"account_details"`
	}
	if err := monitor.Get(ctx, b.monitor+"/jsz?streams=1", &state); err != nil {
		return nil, err
	}
	var left []string
	for _, a := range state.Accounts {
		for _, s := range a.Streams {
			// The bucket of runs keeps their heads, dead letters are kept, and locks expire. A
			// worker that was stopped may note an attempt of an item when the run is over; the
			// broker removes such a note by its age.
			switch s.Name {
			case "KV_winnow_runs", "WINNOW_DEAD", "KV_winnow_holders", "KV_winnow_progress":
			default:
				if s.State.Messages > 0 {
					left = append(left, fmt.Sprintf("%d messages in %s", s.State.Messages, s.Name))
				}
			}
		}
	}
	return left, nil
}

// sleep pauses and reports whether ctx goes on.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
