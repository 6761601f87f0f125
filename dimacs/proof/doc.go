// Package proof reads, writes and checks proofs of unsatisfiability.
package proof
