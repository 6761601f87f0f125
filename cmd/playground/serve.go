package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path"
	"strings"
	"time"
)

// The server shows the site as a host of static files would: without headers that such
// hosts do not send, and without compression.

// types are the media types of the files, so that they do not depend on the system's table.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".svg":  "image/svg+xml",
	".gz":   "application/gzip",
}

// serve serves the files until ctx ends, and prints the address.
func serve(ctx context.Context, stdout io.Writer, address string, files map[string][]byte) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler(files), ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if _, err := fmt.Fprintf(stdout, "http://%s/ (Ctrl-C ends)\n", l.Addr()); err != nil {
		l.Close()
		return err
	}
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// handler returns a handler for the files.
func handler(files map[string][]byte) http.Handler {
	built := time.Now()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		data, ok := files[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", types[path.Ext(name)])
		// Browsers ask whether a file has changed.
		w.Header().Set("Cache-Control", "no-cache")
		http.ServeContent(w, r, name, built, bytes.NewReader(data))
	})
}
