package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"time"
)

// republish publishes messages of a prefix's items and reports a second time until ctx
// ends, without the message ids by which the broker would drop them. It speaks the few
// lines of the broker's protocol that this takes. It returns how many it published.
func republish(ctx context.Context, addr string, seed uint64) (int, error) {
	conn, err := net.DialTimeout("tcp", addr, 5*time.Second)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	// Without echo the broker does not deliver to this connection what it published.
	if _, err := io.WriteString(conn, "CONNECT {\"verbose\":false,\"headers\":true,\"echo\":false}\r\nSUB winnow.items.> 1\r\nSUB winnow.done.> 2\r\nPING\r\n"); err != nil {
		return 0, err
	}
	rng := rand.New(rand.NewPCG(seed, 4))
	r := bufio.NewReader(conn)
	published := 0
	for {
		subject, payload, err := nextMessage(r, conn)
		if err != nil {
			if ctx.Err() != nil {
				err = nil
			}
			return published, err
		}
		if rng.IntN(2) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(conn, "PUB %s %d\r\n%s\r\n", subject, len(payload), payload); err != nil {
			return published, err
		}
		published++
	}
}

// nextMessage reads up to the next message, and answers the broker's pings meanwhile.
func nextMessage(r *bufio.Reader, w io.Writer) (subject string, payload []byte, err error) {
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return "", nil, err
		}
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case f[0] == "PING":
			if _, err := io.WriteString(w, "PONG\r\n"); err != nil {
				return "", nil, err
			}
		case f[0] == "-ERR":
			return "", nil, fmt.Errorf("the broker says: %s", strings.TrimSpace(line))
		case (f[0] == "MSG" || f[0] == "HMSG") && len(f) >= 4:
			total, err := strconv.Atoi(f[len(f)-1])
			if err != nil {
				return "", nil, err
			}
			data := make([]byte, total+len("\r\n"))
			if _, err := io.ReadFull(r, data); err != nil {
				return "", nil, err
			}
			data = bytes.TrimSuffix(data, []byte("\r\n"))
			if f[0] == "HMSG" {
				header, err := strconv.Atoi(f[len(f)-2])
				if err != nil || header > len(data) {
					return "", nil, fmt.Errorf("malformed message: %s", strings.TrimSpace(line))
				}
				data = data[header:]
			}
			return f[1], data, nil
		}
	}
}
