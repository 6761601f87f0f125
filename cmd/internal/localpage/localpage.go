// Package localpage protects the pages that a program serves to its user's browser.
//
//	mux := http.NewServeMux()
//	mux.HandleFunc("GET /{$}", page)
//	http.Serve(listener, localpage.Handler(mux, "localhost"))
package localpage

import (
	"net"
	"net/http"
)

// Handler returns a handler that passes requests on to h. It refuses a request whose host is
// neither an address, "localhost" nor the given host, so that a page of another site cannot
// read the answers by giving its name our address (DNS rebinding). The headers of an answer
// forbid caches, frames, and everything external.
func Handler(h http.Handler, host string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("Content-Security-Policy", "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("X-Content-Type-Options", "nosniff")
		if !isOurs(r.Host, host) {
			http.Error(w, "unknown host name", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// isOurs reports whether a Host header is an address, "localhost" or our host.
func isOurs(name, host string) bool {
	if n, _, err := net.SplitHostPort(name); err == nil {
		name = n
	}
	return net.ParseIP(name) != nil || name == "localhost" || host != "" && name == host
}
