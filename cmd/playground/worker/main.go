//go:build js && wasm

package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"sator/cmd/playground/internal/service"
)

func main() {
	w := &worker{service: service.New(newPauses().pause), cancels: map[int]context.CancelFunc{}}
	js.Global().Set("satorCall", js.FuncOf(w.call))
	js.Global().Set("satorCancel", js.FuncOf(w.cancel))
	post(map[string]any{"ready": true})
	select {}
}

// A worker has the requests that run. The goroutines of a browser's program run in one
// thread and switch only where they wait, so that there is nothing to lock.
type worker struct {
	service *service.Service
	cancels map[int]context.CancelFunc
}

// call starts a request: its id, the operation, arguments as JSON, and a Uint8Array or
// undefined.
func (w *worker) call(_ js.Value, in []js.Value) any {
	id, op, args := in[0].Int(), in[1].String(), in[2].String()
	var attachment []byte
	if in[3].Truthy() {
		attachment = make([]byte, in[3].Length())
		js.CopyBytesToGo(attachment, in[3])
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.cancels[id] = cancel
	go func() {
		reply := w.service.Call(ctx, op, []byte(args), attachment, func(message []byte) {
			post(map[string]any{"id": id, "progress": string(message)})
		})
		cancel()
		delete(w.cancels, id)
		post(message(id, &reply))
	}()
	return nil
}

// message returns the last message of a request.
func message(id int, reply *service.Reply) map[string]any {
	m := map[string]any{"id": id}
	if reply.Err != nil {
		text, err := json.Marshal(reply.Err)
		if err != nil {
			panic(err) // a struct of strings and ints
		}
		m["error"] = string(text)
		return m
	}
	m["result"] = string(reply.Result)
	if reply.Attachment != nil {
		m["blob"] = blob(reply.Attachment)
	}
	return m
}

// blob returns a Blob with these bytes.
func blob(parts [][]byte) js.Value {
	arrays := js.Global().Get("Array").New()
	for _, p := range parts {
		a := js.Global().Get("Uint8Array").New(len(p))
		js.CopyBytesToJS(a, p)
		arrays.Call("push", a)
	}
	return js.Global().Get("Blob").New(arrays)
}

// cancel cancels a request. A request that has ended is no error.
func (w *worker) cancel(_ js.Value, in []js.Value) any {
	if cancel, ok := w.cancels[in[0].Int()]; ok {
		cancel()
	}
	return nil
}

func post(message map[string]any) { js.Global().Call("postMessage", message) }

// A pauses value lets the event loop of the browser run while goroutines wait. A message to
// ourselves comes back after the events that wait already. A timer would be simpler, but
// browsers make nested timers wait for 4 milliseconds at least.
type pauses struct {
	port js.Value
	over chan struct{}
}

func newPauses() *pauses {
	channel := js.Global().Get("MessageChannel").New()
	// Each pause in progress has one message, and there is one for each request at most.
	p := &pauses{port: channel.Get("port2"), over: make(chan struct{}, 1000)}
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		p.over <- struct{}{}
		return nil
	}))
	return p
}

func (p *pauses) pause() {
	p.port.Call("postMessage", js.Null())
	<-p.over
}
