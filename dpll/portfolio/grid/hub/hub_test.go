package hub_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/nats-io/nats.go/jetstream"

	"sator/dpll/portfolio/grid/hub"
)

// A message is acknowledged when it is on disk.
func Example() {
	dir, err := os.MkdirTemp("", "hub")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	h, err := hub.Start(hub.Config{Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	defer h.Close()
	conn, err := h.Connect()
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if _, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "S", Subjects: []string{"s"}}); err != nil {
		log.Fatal(err)
	}
	ack, err := js.Publish(ctx, "s", []byte("x"))
	fmt.Println(ack.Sequence, err)
	// Output: 1 <nil>
}
