//go:build unix && !solaris && !aix

package journal_test

import (
	"context"
	"testing"

	"sator/cmd/internal/journal"
	"sator/dimacs/proof"
)

// A directory can be opened by one journal at a time.
func TestLocked(t *testing.T) {
	f, cubes := instance(30, 2)
	dir, id := t.TempDir(), journal.NewIdentity(f, cubes, proof.FormatUnknown)
	j, err := journal.Open(context.Background(), nil, dir, id)
	if err != nil {
		t.Fatal(err)
	}
	if other, err := journal.Open(context.Background(), nil, dir, id); err == nil {
		other.Close()
		t.Error("two journals have opened the directory")
	}
	j.Close()
	if j, err = journal.Open(context.Background(), nil, dir, id); err != nil {
		t.Fatal(err)
	}
	j.Close()
}
