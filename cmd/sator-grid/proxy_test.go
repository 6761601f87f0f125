//go:build unix

package main

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"testing"
	"time"
)

// A proxy forwards TCP connections to a server. While it is cut, it forwards nothing in
// either direction and closes nothing, like a network whose packets are lost: data waits in
// the buffers of the sender, and new connections get no answer. After that the data is
// delivered, unless one of the sides has closed the connection.
type proxy struct {
	t        *testing.T
	listener net.Listener
	target   string // address of the server

	mu    sync.Mutex
	whole *sync.Cond // signals that the network is whole, or the proxy closed
	isCut bool
	ended bool
	conns map[net.Conn]bool
}

// newProxy returns a proxy for an address, which closes at the end of the test.
func newProxy(t *testing.T, target string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{t: t, listener: l, target: target, conns: map[net.Conn]bool{}}
	p.whole = sync.NewCond(&p.mu)
	go p.accept()
	t.Cleanup(p.close)
	return p
}

// url returns the address of the proxy for clients of NATS.
func (p *proxy) url() string { return "nats://" + p.listener.Addr().String() }

// cut cuts the network, or mends it.
func (p *proxy) cut(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isCut = cut
	p.whole.Broadcast()
}

// reset closes all connections, like a restart of a router.
func (p *proxy) reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.Close()
	}
}

func (p *proxy) close() {
	p.listener.Close()
	p.mu.Lock()
	p.ended = true
	p.whole.Broadcast()
	p.mu.Unlock()
	p.reset()
}

// pass waits until the network is whole.
func (p *proxy) pass() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.isCut && !p.ended {
		p.whole.Wait()
	}
}

func (p *proxy) accept() {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return
		}
		go p.forward(c)
	}
}

// forward connects a client with the server.
func (p *proxy) forward(client net.Conn) {
	p.add(client)
	defer p.remove(client)
	p.pass()
	server, err := net.DialTimeout("tcp", p.target, time.Minute)
	if err != nil {
		return // the client sees that its connection is closed
	}
	p.add(server)
	defer p.remove(server)
	both := make(chan bool, 2)
	go p.copy(server, client, both)
	go p.copy(client, server, both)
	<-both
	client.Close()
	server.Close()
	<-both
}

// copy copies in one direction. It reports the end of a connection only while the network is
// whole.
func (p *proxy) copy(to, from net.Conn, done chan<- bool) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		p.pass()
		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				break
			}
		}
		if err != nil {
			break
		}
	}
	done <- true
}

func (p *proxy) add(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns[c] = true
	if p.ended {
		c.Close()
	}
}

func (p *proxy) remove(c net.Conn) {
	c.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, c)
}

// TestProxy checks that a cut network delivers nothing, and that it loses nothing.
func TestProxy(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() { // a server that repeats what it receives
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				io.Copy(c, c)
			}()
		}
	}()
	p := newProxy(t, l.Addr().String())
	dial := func() net.Conn {
		t.Helper()
		c, err := net.Dial("tcp", p.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	expect := func(c net.Conn, want string) {
		t.Helper()
		got := make([]byte, len(want))
		c.SetReadDeadline(time.Now().Add(patience(t)))
		if _, err := io.ReadFull(c, got); err != nil || string(got) != want {
			t.Fatalf("got %q, %v, want %q", got, err, want)
		}
	}
	silent := func(c net.Conn) {
		t.Helper()
		c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
		if n, err := c.Read(make([]byte, 1)); n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("read %d bytes through a cut network, %v", n, err)
		}
	}
	a := dial()
	defer a.Close()
	io.WriteString(a, "one")
	expect(a, "one")
	p.cut(true)
	io.WriteString(a, "two")
	b := dial()
	defer b.Close()
	io.WriteString(b, "three")
	silent(a)
	silent(b)
	p.cut(false)
	expect(a, "two")
	expect(b, "three")
	p.reset()
	a.SetReadDeadline(time.Now().Add(patience(t)))
	if n, err := a.Read(make([]byte, 1)); n > 0 || err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("read %d bytes after a reset, %v", n, err)
	}
}
