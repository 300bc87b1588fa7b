package cmd

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// attack is something that an attacker who controls a worker may try with the worker's
// credentials. The broker checks the subject that a message is published to, but it
// publishes its answer to whatever subject the message names as its reply.
type attack struct {
	name    string
	subject string
	reply   string
	data    string
	header  nats.Header
}

// attacks are the known attacks. An attack without a subject settles an item.
func attacks() []attack {
	const (
		purge   = "$JS.API.STREAM.PURGE.WINNOW_ITEMS"
		remove  = "$JS.API.STREAM.DELETE.WINNOW_ITEMS"
		stored  = "$JS.API.DIRECT.GET.KV_winnow_progress.$KV.winnow_progress.r.first"
		chosen  = "$KV.winnow_progress.r.chosen" // the attacker chooses its content
		readIt  = "$JS.API.DIRECT.GET.KV_winnow_progress." + chosen
		forged  = `{"version":1,"id":"r","hash":"h","phase":"extract","state":"planned","out":"http://stranger.example/"}`
		missing = "$JS.API.DIRECT.GET.KV_winnow_progress.$KV.winnow_progress.r.none"
	)
	list := []attack{
		{name: "a direct get whose answer purges a stream", subject: stored, reply: purge},
		{name: "a direct get that finds nothing, whose empty answer deletes a stream", subject: missing, reply: remove},
		{name: "a direct get whose answer deletes a message", subject: readIt, reply: "$JS.API.STREAM.MSG.DELETE.WINNOW_ITEMS", data: `{"seq":1}`},
		{name: "a direct get whose answer is a run", subject: readIt, reply: "winnow.runs.s", data: forged},
		{name: "a direct get whose answer gives a run back", subject: readIt, reply: "$JS.ACK.WINNOW_RUNS.aggregators_r.1.1.1.1.0", data: forged},
		{name: "a direct get whose answer is an item", subject: readIt, reply: "winnow.items.r.extract", data: forged},
		{name: "a direct get of access to files whose answer purges a stream", subject: "$JS.API.DIRECT.GET.KV_winnow_access.$KV.winnow_access.r.x", reply: purge},
		{name: "a direct get by sequence whose answer purges a stream", subject: "$JS.API.DIRECT.GET.WINNOW_RUNS", data: `{"seq":1}`, reply: purge},
		{name: "a request for an item that is delivered as a run", subject: nextItem, reply: "winnow.runs.s"},
		{name: "a request for an item that is delivered as a request to purge", subject: nextItem, reply: purge},
		{name: "an acknowledgement whose answer deletes a stream", reply: remove, data: "+ACK"},
		{name: "an acknowledgement that asks for the next item as a run", reply: "winnow.runs.s", data: "+NXT"},
		{name: "a report whose receipt purges a stream", subject: "winnow.done.r", reply: purge, data: "{}"},
		{name: "a dead letter whose receipt is an item", subject: "winnow.dead.r", reply: "winnow.items.r.extract", data: "{}"},
		{name: "a report whose trace purges a stream", subject: "winnow.done.r", data: "{}", header: nats.Header{"Nats-Trace-Dest": {purge}}},
		{name: "information about a stream that is sent as an item", subject: "$JS.API.STREAM.INFO.WINNOW_RUNS", reply: "winnow.items.r.extract"},
		{name: "information about a consumer that is sent as a run", subject: "$JS.API.CONSUMER.INFO.WINNOW_ITEMS.workers_r_extract", reply: "winnow.runs.s"},
		{name: "a consumer that delivers heads of runs as requests to purge", subject: "$JS.API.CONSUMER.CREATE.WINNOW_RUNS.mine",
			data: `{"stream_name":"WINNOW_RUNS","config":{"name":"mine","ack_policy":"none","deliver_policy":"all","deliver_subject":"` + purge + `"}}`},
		{name: "a note about an item that removes all others", subject: "$KV.winnow_progress.r.mine", data: "{}", header: nats.Header{"Nats-Rollup": {"all"}}},
		{name: "a message with the client of another in its header", subject: stored, reply: purge,
			header: nats.Header{"Nats-Request-Info": {`{"acc":"WINNOW","svc":"WINNOW"}`}}},
		{name: "a reply that begins like an acknowledgement", subject: readIt, reply: "$JS.ACK.WINNOW_RUNS.mine.1.1.1.1.0", data: "+TERM"},
	}
	for _, bucket := range []string{"WINNOW_RUNS", "KV_winnow_access", "WINNOW_DONE", "WINNOW_DEAD"} {
		list = append(list,
			attack{name: "a direct get whose answer purges " + bucket, subject: stored, reply: "$JS.API.STREAM.PURGE." + bucket},
			attack{name: "a direct get whose empty answer deletes " + bucket, subject: missing, reply: "$JS.API.STREAM.DELETE." + bucket})
	}
	for i := range list {
		if list[i].subject == readIt {
			list[i].header = nats.Header{"chosen": {list[i].data}}
		}
	}
	return list
}

// belongings returns everything that a worker may not change, as one text that can be
// compared.
func belongings(ctx context.Context, t *testing.T, js jetstream.JetStream) string {
	t.Helper()
	var b strings.Builder
	names := []string{"WINNOW_ITEMS", "WINNOW_RUNS", "WINNOW_DONE", "WINNOW_DEAD", "KV_winnow_access", "KV_winnow_progress"}
	for _, name := range names {
		s, err := js.Stream(ctx, name)
		if err != nil {
			fmt.Fprintf(&b, "%s: %v\n", name, err)
			continue
		}
		state := s.CachedInfo().State
		switch name {
		case "WINNOW_DONE", "WINNOW_DEAD", "KV_winnow_progress":
			// Workers add entries to these, but may not change existing ones.
			fmt.Fprintf(&b, "%s: from %d\n", name, state.FirstSeq)
		default:
			fmt.Fprintf(&b, "%s: %d messages, %d to %d\n", name, state.Msgs, state.FirstSeq, state.LastSeq)
		}
		var consumers []string
		for c := range s.ConsumerNames(ctx).Name() {
			consumers = append(consumers, c)
		}
		slices.Sort(consumers)
		fmt.Fprintf(&b, "  consumers %v\n", consumers)
	}
	return b.String()
}

// besieged is a broker with a run, and a worker's connection to it.
type besieged struct {
	nc       *nats.Conn // the worker's
	operator jetstream.JetStream
}

const nextItem = "$JS.API.CONSUMER.MSG.NEXT.WINNOW_ITEMS.workers_r_extract"

func besiege(ctx context.Context, t *testing.T) *besieged {
	t.Helper()
	_, url, seeds := secured(t)
	q, err := queue.Dial(ctx, queue.Options{URL: url, NKey: seeds["ingest"], Inbox: "_INBOX.winnow.ingest"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	if err := q.Setup(ctx, queue.Limits{}); err != nil {
		t.Fatal(err)
	}
	run := &schemas.Run{Version: schemas.Version, ID: "r", Hash: "h", Phases: []schemas.Phase{schemas.PhaseExtract}, Phase: schemas.PhaseExtract, State: schemas.RunPlanned, Lease: time.Hour, Out: "file:///out"}
	if err := q.PublishRun(ctx, run); err != nil {
		t.Fatal(err)
	}
	if q, err = queue.Dial(ctx, queue.Options{URL: url, NKey: seeds["aggregate"], Inbox: "_INBOX.winnow.aggregate"}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	const items = 100 // more items than all attacks take together
	err = q.StartPhase(ctx, run, func(yield func(*schemas.Item, error) bool) {
		for i := range items {
			if !yield(&schemas.Item{Version: schemas.Version, Run: "r", Hash: "h", Phase: run.Phase, Seq: i, File: schemas.FileRange{Stored: schemas.Stored{URL: "file:///a.warc.gz", Size: 10 * items}, Total: 10 * items, Start: int64(i) * 10, End: int64(i+1) * 10, First: -1}}, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	b := &besieged{}
	_, b.operator = connectAs(t, url, "operator", seeds["operator"])
	b.nc, _ = connectAs(t, url, "worker", seeds["worker"])
	for _, subject := range []string{"$KV.winnow_progress.r.first", "$KV.winnow_progress.r.second", "winnow.done.r", "winnow.done.r", "winnow.dead.r", "winnow.dead.r"} {
		b.ask(ctx, t, subject, "{}")
	}
	return b
}

// ask sends a request that the worker is allowed to make.
func (b *besieged) ask(ctx context.Context, t *testing.T, subject, data string) *nats.Msg {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	msg, err := b.nc.RequestWithContext(ctx, subject, []byte(data))
	if err != nil {
		t.Fatalf("%s: %v", subject, err)
	}
	if bytes.Contains(msg.Data, []byte(`"err_code"`)) {
		t.Fatalf("%s: %s", subject, msg.Data)
	}
	return msg
}

// item takes an item and returns the subject that settles it.
func (b *besieged) item(ctx context.Context, t *testing.T) string {
	t.Helper()
	msg := b.ask(ctx, t, nextItem, `{"batch":1}`)
	if msg.Reply == "" {
		t.Fatalf("no item: %v", msg.Header)
	}
	return msg.Reply
}

// An attacker who controls a worker cannot make the broker do what the worker itself
// may not do.
func redirectedAnswers(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	var b *besieged
	for _, a := range attacks() {
		// A broker is used again unless an attack on it worked, because that would hide
		// the effect of the next attack.
		if b == nil {
			b = besiege(ctx, t)
		}
		held := t.Run(a.name, func(t *testing.T) {
			if a.subject == "" { // an attack without a subject settles an item
				a.subject = b.item(ctx, t)
			}
			if chosen := a.header["chosen"]; chosen != nil {
				b.ask(ctx, t, "$KV.winnow_progress.r.chosen", chosen[0])
				a.header, a.data = nil, ""
			}
			before := belongings(ctx, t, b.operator)
			if err := b.nc.PublishMsg(&nats.Msg{Subject: a.subject, Reply: a.reply, Data: []byte(a.data), Header: a.header}); err != nil {
				t.Fatal(err)
			}
			// The broker handles the requests of a connection in order, so when it has
			// answered these it has handled the attack.
			for range 3 {
				b.ask(ctx, t, "$JS.API.DIRECT.GET.KV_winnow_progress.$KV.winnow_progress.r.first", "")
				b.ask(ctx, t, "$JS.API.STREAM.INFO.WINNOW_RUNS", "")
				b.ask(ctx, t, "winnow.done.r", "{}")
			}
			after := belongings(ctx, t, b.operator)
			if strings.HasPrefix(a.subject, "$JS.ACK.WINNOW_ITEMS.") { // the worker may settle the item that it took
				n := itemsIn(t, before)
				after = strings.Replace(after, fmt.Sprintf("WINNOW_ITEMS: %d messages", n-1), fmt.Sprintf("WINNOW_ITEMS: %d messages", n), 1)
			}
			if before != after {
				t.Fatalf("before:\n%s\nafter:\n%s", before, after)
			}
		})
		if !held {
			b = nil
		}
	}
}

// itemsIn returns the number of items in a text that belongings returned.
func itemsIn(t *testing.T, text string) (n int) {
	t.Helper()
	if _, err := fmt.Sscanf(text, "WINNOW_ITEMS: %d messages", &n); err != nil {
		t.Fatal(err, text)
	}
	return n
}

// connectAs connects with the key of a role.
func connectAs(t *testing.T, url, role, seed string) (*nats.Conn, jetstream.JetStream) {
	t.Helper()
	key, err := nats.NkeyOptionFromSeed(seed)
	if err != nil {
		t.Fatal(err)
	}
	nc, err := nats.Connect(url, key, nats.CustomInboxPrefix("_INBOX.winnow."+role), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return nc, js
}
