package queue

import (
	"strings"
	"testing"
	"time"
)

// No error of a connection says the password or the token of its URL.
func TestErrorsOfConnectingNameNoPassword(t *testing.T) {
	for _, u := range []string{
		"nats://u:SESAME@127.0.0.1:1",
		"nats://SESAME@127.0.0.1:1",
		"u:SESAME@127.0.0.1:1",
		"nats://u:SES%AME@127.0.0.1:1",
		"nats://u:SESAME@x y:1",
		"nats://u:SESAME@127.0.0.1:1,nats://v:SESAME@127.0.0.1:2",
		"tls://u:SESAME@127.0.0.1:1",
		"nats://u:p@SESAME@127.0.0.1:1",
		"http://u:SESAME@127.0.0.1:1",
	} {
		q, err := Dial(t.Context(), Options{URL: u, Wait: time.Millisecond})
		if err == nil {
			q.Close()
			t.Errorf("%s: connected", u)
			continue
		}
		if strings.Contains(err.Error(), "SES") || strings.Contains(err.Error(), "%AM") || strings.Contains(err.Error(), "u:") || !strings.Contains(err.Error(), "queue: ") {
			t.Errorf("%s: %v", u, err)
		}
	}
}

// A scheme that no broker has is refused at once, not after Wait.
func TestDialRefusesOtherSchemes(t *testing.T) {
	q, err := Dial(t.Context(), Options{URL: "nats://127.0.0.1:1, http://127.0.0.1:4222", Wait: time.Hour})
	if err == nil {
		q.Close()
		t.Fatal("connected")
	}
	if !strings.Contains(err.Error(), "http://127.0.0.1:4222: want nats://HOST:PORT") {
		t.Error(err)
	}
}
