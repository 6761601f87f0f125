// Worker is the program of the playground's Web Worker, compiled to WebAssembly. It passes
// messages between the page and package service.
//
// worker.js starts it. The program then defines the global function satorCall(id, op, args,
// bytes), which starts a request, and satorCancel(id), and posts the message {ready: true}.
// A request posts {id, progress: JSON} while it runs, and in the end {id, result: JSON, blob}
// or {id, error: JSON}.
//
// Files:
//   - main.go: the program
//   - native.go: a message, on other systems
package main
