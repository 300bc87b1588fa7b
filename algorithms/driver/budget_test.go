package driver

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/winnow/winnow/algorithms"
)

// ledger is a budget that reports who waits and the largest amount that was taken.
type ledger struct {
	size  int64
	asked chan int64 // one entry for each Acquire

	mu         sync.Mutex // guards the rest
	free       sync.Cond
	held, most int64
}

func newLedger(size int64) *ledger {
	l := &ledger{size: size, asked: make(chan int64, 100)}
	l.free.L = &l.mu
	return l
}

func (l *ledger) Size() int64 { return l.size }

func (l *ledger) Acquire(ctx context.Context, n int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l.asked <- n
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.held+n > l.size {
		l.free.Wait()
	}
	l.held += n
	l.most = max(l.most, l.held)
	return nil
}

func (l *ledger) Release(n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held -= n
	l.free.Broadcast()
}

// TestLargePagesAreScoredOneByOne runs two drivers, each with a page that takes more
// than half of the budget: the second page is scored after the first.
func TestLargePagesAreScoredOneByOne(t *testing.T) {
	gold := &Gold{Text: strings.Repeat("grain and chaff ", 20_000)}
	l := newLedger(ScoreMemory(len(gold.Text)) * 3 / 2)
	inside, leave := make(chan string), make(chan bool)
	done := make(chan error)
	start := func(name string) {
		d := newDriver(t, Config{
			Extractors: []*algorithms.Extractor{extractor("all", everything)},
			Scorers: []*algorithms.Scorer{{Description: algorithms.Description{Name: "stays"}, Score: func(*algorithms.Trial) algorithms.Score {
				inside <- name
				<-leave
				return algorithms.Score{}
			}}},
			Budget: l,
		})
		go func() {
			_, err := d.Page(context.Background(), Input{HTML: []byte(html), Gold: gold})
			done <- err
		}()
	}
	start("first")
	if n := <-l.asked; n != ScoreMemory(len(gold.Text)) {
		t.Errorf("asked for %d bytes, want 130 for each of %d", n, len(gold.Text))
	}
	<-inside
	start("second")
	<-l.asked
	select {
	case name := <-inside:
		t.Fatalf("%s is scored beside the first", name)
	default:
	}
	leave <- true
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if name := <-inside; name != "second" {
		t.Fatalf("%s is scored after the first", name)
	}
	leave <- true
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if l.held != 0 || l.most > l.size {
		t.Errorf("%d bytes are held, at most %d were, of %d", l.held, l.most, l.size)
	}
}

// TestSmallPagesShareTheBudget checks that small pages are scored at the same time.
func TestSmallPagesShareTheBudget(t *testing.T) {
	gold := &Gold{Text: "grain"}
	l := newLedger(ScoreMemory(1000))
	var both, done sync.WaitGroup
	both.Add(2)
	for range 2 {
		d := newDriver(t, Config{
			Extractors: []*algorithms.Extractor{extractor("all", everything)},
			Scorers: []*algorithms.Scorer{{Description: algorithms.Description{Name: "meets"}, Score: func(*algorithms.Trial) algorithms.Score {
				both.Done()
				both.Wait() // waits for the other driver
				return algorithms.Score{}
			}}},
			Budget: l,
		})
		done.Go(func() {
			if _, err := d.Page(context.Background(), Input{HTML: []byte(html), Gold: gold}); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
}

// TestReserve checks that a page larger than the budget takes all of it, that a page
// that is not scored takes nothing, and that the memory of a large page is not kept.
func TestReserve(t *testing.T) {
	l := newLedger(1000)
	prepared := &algorithms.GoldFeature[[]byte]{Name: "copy", Compute: func(dst *[]byte, g *algorithms.Gold) { *dst = append((*dst)[:0], g.Text...) }}
	kept := 0
	d := newDriver(t, Config{
		Extractors: []*algorithms.Extractor{extractor("all", everything)},
		Scorers: []*algorithms.Scorer{{Description: algorithms.Description{Name: "copies"}, Score: func(t *algorithms.Trial) algorithms.Score {
			kept = cap(*prepared.Of(t.Gold))
			return algorithms.Score{}
		}}},
		Budget: l, ScoreBytes: 1 << 20,
	})
	page := func(gold *Gold) {
		t.Helper()
		if _, err := d.Page(context.Background(), Input{HTML: []byte(html), Gold: gold}); err != nil {
			t.Fatal(err)
		}
	}
	page(&Gold{Text: strings.Repeat("a", 1<<20)})
	if n := <-l.asked; n != 1000 || l.held != 0 || kept < 1<<20 {
		t.Errorf("asked for %d, %d are held, %d bytes were prepared", n, l.held, kept)
	}
	page(&Gold{Text: "a"})
	if <-l.asked; kept >= 1<<20 {
		t.Errorf("%d bytes of the page before are kept", kept)
	}
	page(nil)
	page(&Gold{Text: strings.Repeat("a", 1<<20+1)})
	if len(l.asked) != 0 {
		t.Error("memory is taken for pages that are not scored")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := d.Page(ctx, Input{HTML: []byte(html), Gold: &Gold{Text: "a"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("while waiting: %v", err)
	}
}
