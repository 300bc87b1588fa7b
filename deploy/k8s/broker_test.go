package k8s

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	appsv1 "k8s.io/api/apps/v1"
)

// A nats-server that is killed while it starts, or while it makes a stream, may leave a
// file or an empty folder in its store. A single one then answers /healthz with 503 for
// ever, although it serves. No probe may ask that: a broker that fails its startup probe
// is started again without end, and ingest, which would make the stream, cannot reach it.
func TestBrokerIsReadyAfterAKill(t *testing.T) {
	var probes map[string]string
	for _, o := range build(t, "overlays/local") {
		if s, is := o.(*appsv1.StatefulSet); is && s.Name == "nats" {
			c := s.Spec.Template.Spec.Containers[0]
			probes = map[string]string{"startup": c.StartupProbe.HTTPGet.Path, "liveness": c.LivenessProbe.HTTPGet.Path, "readiness": c.ReadinessProbe.HTTPGet.Path}
		}
	}
	if len(probes) != 3 {
		t.Fatal("the overlay has no broker")
	}
	for name, left := range map[string]string{
		"killed while it tried whether it can write": "jetstream/_test_1",
		"killed while it made a stream":              "jetstream/$G/streams/WINNOW_DONE/msgs/1.blk",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, filepath.FromSlash(left))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, HTTPHost: "127.0.0.1", HTTPPort: -1, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true})
			if err != nil {
				t.Fatal(err)
			}
			s.Start()
			defer s.WaitForShutdown()
			defer s.Shutdown()
			if !s.ReadyForConnections(time.Minute) {
				t.Fatal("the broker does not start")
			}
			status := func(path string) int {
				resp, err := http.Get("http://" + s.MonitorAddr().String() + path)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				return resp.StatusCode
			}
			for probe, path := range probes {
				if got := status(path); got != http.StatusOK {
					t.Errorf("the %s probe gets %d from %s", probe, got, path)
				}
			}
			if got := status("/healthz"); got != http.StatusServiceUnavailable {
				t.Errorf("/healthz answers %d: is this test still needed?", got)
			}
		})
	}
}
