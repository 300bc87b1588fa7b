package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/winnow/winnow/deploy/monitor"
)

// broker is a nats-server with its store, and the proxy by which programs reach it.
type broker struct {
	process
	store   string
	monitor string // URL of its HTTP server
	front   *proxy
}

// cluster says how the brokers of a trial are run. There may be a single one.
type cluster struct {
	program string
	dir     string
	free    *ports
	names   []string
	sync    bool // every write, and not every two minutes
	env     func(name string) []string
}

// start starts the brokers and waits until they are ready.
func (c *cluster) start(ctx context.Context) ([]*broker, error) {
	at := make([]struct{ client, monitor, route string }, len(c.names))
	var routes []string
	for i := range c.names {
		for _, p := range []*string{&at[i].client, &at[i].monitor, &at[i].route} {
			var err error
			if *p, err = c.free.next(); err != nil {
				return nil, err
			}
		}
		routes = append(routes, "nats://"+at[i].route)
	}
	var all []*broker
	for i, name := range c.names {
		b := &broker{store: filepath.Join(c.dir, name), monitor: "http://" + at[i].monitor}
		config := fmt.Sprintf("server_name: %s\nlisten: %q\nhttp: %q\njetstream {store_dir: %q, sync_interval: %s}\n", name, at[i].client, at[i].monitor, b.store, syncInterval(c.sync))
		if len(c.names) > 1 {
			// The addresses of the other brokers are not advertised, because clients are to
			// use the proxies alone.
			config += fmt.Sprintf("cluster {name: faults, listen: %q, no_advertise: true, routes: [%s]}\n", at[i].route, strings.Join(routes, ", "))
		}
		file := filepath.Join(c.dir, name+".conf")
		if err := os.WriteFile(file, []byte(config), 0o666); err != nil {
			return all, err
		}
		b.process = process{name: name, args: []string{c.program, "--config", file}, env: c.env(name), log: filepath.Join(c.dir, name+".log")}
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
		if err := b.await(ctx, "/healthz", 3*time.Minute); err != nil {
			return all, err
		}
	}
	return all, nil
}

// syncInterval is the JetStream setting that syncs every write, or its default.
func syncInterval(always bool) string {
	if always {
		return "always"
	}
	return "2m"
}

// await waits until the broker's monitor answers a path without an error: /healthz if the
// broker reports that it is healthy, /varz if it runs.
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

// held is what a broker says about its copy of a stream.
type held struct {
	messages int
	leads    bool // the broker reports that it leads the stream
}

// streams asks the broker for its copies of the streams that must be empty when no run is
// under way.
func (b *broker) streams(ctx context.Context) (map[string]held, error) {
	var state struct {
		Accounts []struct {
			Streams []struct {
				Name    string
				Cluster *struct{ Leader string }
				State   struct{ Messages int }
			} `json:"stream_detail"`
		} `json:"account_details"`
	}
	if err := monitor.Get(ctx, b.monitor+"/jsz?streams=1", &state); err != nil {
		return nil, err
	}
	all := map[string]held{}
	for _, a := range state.Accounts {
		for _, s := range a.Streams {
			// Dead letters are kept. A worker that was stopped may note an attempt of an item
			// when the run is over; the broker removes such a note by its age.
			switch s.Name {
			case "WINNOW_DEAD", "KV_winnow_progress":
			default:
				all[s.Name] = held{s.State.Messages, s.Cluster != nil && s.Cluster.Leader == b.name}
			}
		}
	}
	return all, nil
}

// left returns the streams that still hold messages although their run has ended. A
// stream holds what the copy of its leader holds. Other copies follow, and one that was
// lost is made again; and one that was the leader may not know yet that it is not. So all
// get some time to become empty. behind are copies of others than the leader that do not.
func left(ctx context.Context, brokers []*broker, patience time.Duration) (left, behind []string, err error) {
	for deadline := time.Now().Add(patience); ; {
		left, behind = nil, nil
		for _, b := range brokers {
			copies, err := b.streams(ctx)
			if err != nil {
				return nil, nil, err
			}
			for _, name := range slices.Sorted(maps.Keys(copies)) {
				switch c := copies[name]; {
				case c.messages == 0:
				case c.leads || len(brokers) == 1:
					left = append(left, fmt.Sprintf("%d messages in %s", c.messages, name))
				default:
					behind = append(behind, fmt.Sprintf("%s has %d messages in its copy of %s", b.name, c.messages, name))
				}
			}
		}
		if len(left)+len(behind) == 0 || time.Now().After(deadline) {
			return left, behind, nil
		}
		if !sleep(ctx, 50*time.Millisecond) {
			return nil, nil, context.Cause(ctx)
		}
	}
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
