package service_test

import (
	"context"
	"fmt"

	"sator/cmd/playground/internal/service"
)

func ExampleService_Call() {
	s := service.New(nil)
	args := []byte(`{"text": "p cnf 2 2\n1 2 0\n-1 x 0\n"}`)
	reply := s.Call(context.Background(), "formula.load", args, nil, nil)
	fmt.Printf("line %d, column %d: %s\n", reply.Err.Line, reply.Err.Column, reply.Err.Message)
	// Output: line 3, column 4: "x" is not a number: neither names nor XOR clauses are DIMACS
}
