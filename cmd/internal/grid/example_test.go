package grid_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"sator/cmd/internal/grid"
	"sator/dimacs"
	"sator/dimacs/proof"
)

// A coordinator and a worker solve a formula with four cubes over a server in the same
// process. Workers on other machines would connect to the address of that server.
func Example() {
	dir, err := os.MkdirTemp("", "grid")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true})
	if err != nil {
		log.Fatal(err)
	}
	s.Start()
	defer s.WaitForShutdown()
	defer s.Shutdown()
	connect := func() *nats.Conn {
		nc, err := nats.Connect("", nats.InProcessServer(s), nats.MaxReconnects(-1))
		if err != nil {
			log.Fatal(err)
		}
		return nc
	}
	work, serve := connect(), connect()
	defer work.Close()
	defer serve.Close()

	f := dimacs.NewFormula(4)
	for _, signs := range []int{0, 1, 2, 3, 4, 5, 6, 7} { // no assignment of variables 1 to 3
		f.Add(dimacs.Lit(signs&1), dimacs.Lit(2+signs>>1&1), dimacs.Lit(4+signs>>2))
	}
	cubes := [][]dimacs.Lit{dimacs.Lits(4, 1), dimacs.Lits(4, -1), dimacs.Lits(-4, 1), dimacs.Lits(-4, -1)}
	ctx := context.Background()
	go grid.Work(ctx, work, grid.MemberOptions{Name: "example"})
	answer, err := grid.Serve(ctx, serve, grid.ServeOptions{
		Name: "example", Formula: f, Cubes: cubes, Checkers: 1,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Status)

	check := proof.NewChecker()
	if err := answer.WriteProof(ctx, check); err != nil {
		log.Fatal(err)
	}
	fmt.Println("the proof is right:", check.Refutes(nil) == nil)
	// Output:
	// UNSATISFIABLE
	// the proof is right: true
}
