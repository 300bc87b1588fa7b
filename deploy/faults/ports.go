package main

import (
	"fmt"
	"net"
	"os"
	"sync"
)

// ports gives every broker addresses of its own. They are below the range from which
// systems take the ports of outgoing connections, so that a broker that is started again
// finds its port free.
type ports struct {
	mu   sync.Mutex
	last int
}

func (p *ports) next() (string, error) {
	const first, end = 20000, 32000
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last == 0 {
		p.last = first + os.Getpid()*61%(end-first) // several series may run on one machine
	}
	for range end - first {
		if p.last++; p.last >= end {
			p.last = first
		}
		addr := fmt.Sprintf("127.0.0.1:%d", p.last)
		if l, err := net.Listen("tcp", addr); err == nil {
			l.Close()
			return addr, nil
		}
	}
	return "", fmt.Errorf("no free port between %d and %d", first, end)
}
