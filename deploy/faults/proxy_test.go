package main

import (
	"bufio"
	"io"
	"net"
	"strings"
	"testing"
)

// echo serves the line that it reads to every client.
func echo(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(c, c)
				c.Close()
			}()
		}
	}()
	return l.Addr().String()
}

func TestProxyCutsAndMends(t *testing.T) {
	p, err := newProxy(echo(t))
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	ask := func(c net.Conn) (string, error) {
		if _, err := io.WriteString(c, "grain\n"); err != nil {
			return "", err
		}
		return bufio.NewReader(c).ReadString('\n')
	}
	dial := func() net.Conn {
		c, err := net.Dial("tcp", p.addr())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	c := dial()
	if got, err := ask(c); err != nil || got != "grain\n" {
		t.Fatalf("%q %v", got, err)
	}
	p.cut()
	if got, err := ask(c); err == nil {
		t.Errorf("a cut connection answers %q", got)
	}
	if got, err := ask(dial()); err == nil {
		t.Errorf("a new connection answers %q", got)
	}
	p.allow()
	p.slow(1 << 20)
	if got, err := ask(dial()); err != nil || got != "grain\n" {
		t.Errorf("after the cut: %q %v", got, err)
	}
}

func TestNextMessage(t *testing.T) {
	in := "INFO {}\r\nPING\r\nMSG a.b 1 5\r\ngrain\r\n+OK\r\nHMSG a.c 2 _INBOX 12 17\r\nNATS/1.0\r\n\r\nchaff\r\n-ERR 'no rights'\r\n"
	r := bufio.NewReader(strings.NewReader(in))
	var answers strings.Builder
	for _, want := range []string{"a.b grain", "a.c chaff"} {
		subject, payload, err := nextMessage(r, &answers)
		if got := subject + " " + string(payload); err != nil || got != want {
			t.Errorf("%q %v, want %q", got, err, want)
		}
	}
	if _, _, err := nextMessage(r, &answers); err == nil || !strings.Contains(err.Error(), "no rights") {
		t.Error(err)
	}
	if answers.String() != "PONG\r\n" {
		t.Errorf("answers %q", answers.String())
	}
}
