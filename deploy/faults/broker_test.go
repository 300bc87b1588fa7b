package main

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The copies of a stream follow that of its leader, and may still hold what the leader has
// removed. That is not left over.
func TestLeftWaitsForAllCopies(t *testing.T) {
	if testing.Short() {
		t.Skip("builds nats-server and runs three")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "nats-server")
	if text, err := exec.Command("go", "build", "-o", program, "github.com/nats-io/nats-server/v2").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	names := []string{"broker0", "broker1", "broker2"}
	all := cluster{program, dir, &ports{}, names, false, func(string) []string { return nil }}
	brokers, err := all.start(t.Context())
	for _, b := range brokers {
		t.Cleanup(b.front.close)
		t.Cleanup(b.kill)
	}
	if err != nil {
		t.Fatal(err)
	}
	nc, err := nats.Connect("nats://" + brokers[0].front.addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "WINNOW_DONE", Subjects: []string{"done"}, Replicas: 3, Storage: jetstream.FileStorage})
	if err != nil {
		t.Fatal(err)
	}
	empty := func() {
		t.Helper()
		if held, behind, err := left(t.Context(), brokers, time.Minute); err != nil || len(held)+len(behind) > 0 {
			t.Errorf("left %v; behind: %v, %v", held, behind, err)
		}
	}
	fill := func() {
		for range 5 {
			if _, err := js.Publish(t.Context(), "done", nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	fill()
	if held, _, err := left(t.Context(), brokers, 0); err != nil || !slices.Equal(held, []string{"5 messages in WINNOW_DONE"}) {
		t.Errorf("left %v, %v", held, err)
	}
	info, err := s.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	away := brokers[slices.IndexFunc(brokers, func(b *broker) bool { return b != brokers[0] && b.name != info.Cluster.Leader })]
	away.kill()
	if err := s.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := away.start(); err != nil { // with the five messages in its copy
		t.Fatal(err)
	}
	if err := away.await(t.Context(), "/varz", time.Minute); err != nil {
		t.Fatal(err)
	}
	empty()
	for range 10 { // copies are some milliseconds behind
		fill()
		if err := s.Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
		empty()
	}
}
