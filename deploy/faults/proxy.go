package main

import (
	"net"
	"sync"
	"time"
)

// proxy passes TCP connections on to one address, and cuts or slows them when asked.
type proxy struct {
	listener net.Listener
	to       string
	copies   sync.WaitGroup

	mu     sync.Mutex // guards the fields below
	open   map[net.Conn]bool
	refuse bool
	rate   int // bytes per second and direction; 0 for no bound
}

func newProxy(to string) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: l, to: to, open: map[net.Conn]bool{}}
	p.copies.Go(p.accept)
	return p, nil
}

func (p *proxy) addr() string { return p.listener.Addr().String() }

func (p *proxy) accept() {
	for {
		in, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		p.copies.Go(func() { p.pass(in) })
	}
}

// pass connects a client with the server until one of them closes its end.
func (p *proxy) pass(in net.Conn) {
	defer in.Close()
	if !p.add(in) {
		return
	}
	defer p.remove(in)
	out, err := net.DialTimeout("tcp", p.to, 5*time.Second)
	if err != nil {
		return
	}
	defer out.Close()
	if !p.add(out) {
		return
	}
	defer p.remove(out)
	done := make(chan struct{})
	go func() {
		p.copy(out, in)
		close(done)
	}()
	p.copy(in, out)
	<-done
}

// copy copies in pieces that are small enough for a low rate, and closes both ends.
func (p *proxy) copy(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	buf := make([]byte, 32<<10)
	for {
		size := len(buf)
		if rate := p.bound(); rate > 0 {
			size = min(size, max(1, rate/20))
		}
		n, err := from.Read(buf[:size])
		if rate := p.bound(); rate > 0 && n > 0 {
			time.Sleep(time.Duration(n) * time.Second / time.Duration(rate))
		}
		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (p *proxy) bound() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rate
}

func (p *proxy) add(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refuse {
		return false
	}
	p.open[c] = true
	return true
}

func (p *proxy) remove(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, c)
}

// cut closes every connection, and new ones at once until allow is called.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = true
	for c := range p.open {
		c.Close()
	}
}

func (p *proxy) allow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = false
}

// slow bounds the bytes per second; 0 means no bound.
func (p *proxy) slow(rate int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rate = rate
}

// close ends all connections and waits until no goroutine is left.
func (p *proxy) close() {
	p.listener.Close()
	p.cut()
	p.copies.Wait()
}
