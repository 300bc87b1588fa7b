// Package monitor asks a nats-server how it is, for programs that try Winnow with one.
//
// This package is internal to Winnow and may change in any release.
package monitor

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// wait bounds a request. A healthy server answers in milliseconds.
const wait = 10 * time.Second

// Get asks the monitoring endpoint at an address, such as http://127.0.0.1:8222/varz, and
// decodes its answer, unless answer is nil. An answer with another status than 200 is an
// error: /healthz has one until the server is ready.
func Get(ctx context.Context, address string, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", address, resp.Status)
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(resp.Body).Decode(answer)
}
