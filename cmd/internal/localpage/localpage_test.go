package localpage_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"sator/cmd/internal/localpage"
)

// A request for the name of another site is refused, whatever its address.
func ExampleHandler() {
	h := localpage.Handler(http.NotFoundHandler(), "solver.example.org")
	for _, host := range []string{"127.0.0.1:8080", "solver.example.org", "elsewhere.example.org"} {
		r := httptest.NewRequest("GET", "http://"+host+"/", nil)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		fmt.Println(host, w.Code)
	}
	// Output:
	// 127.0.0.1:8080 404
	// solver.example.org 404
	// elsewhere.example.org 403
}
