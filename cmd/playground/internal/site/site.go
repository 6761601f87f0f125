// Package site has the static files of the playground: its page, style and scripts.
//
//	page, err := site.Files.ReadFile("index.html")
//
// The scripts are ES modules without dependencies. app.js shows the page that the address
// names; each page is a module of its own. client.js talks to the worker worker.js, which
// runs the engine. The engine, its loader from the Go distribution and the table of families
// are added by the program playground.
package site

import "embed"

// Files has the files of the site.
//
//go:embed *.html *.css *.js *.svg
var Files embed.FS
