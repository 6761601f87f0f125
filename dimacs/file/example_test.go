package file_test

import (
	"fmt"
	"os"
	"path/filepath"

	"sator/dimacs"
	"sator/dimacs/file"
)

// A formula is written to a compressed file and read back.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "small.cnf.zst")

	f := new(dimacs.Formula)
	f.AddInts(1, -2)
	out, err := file.Create(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer out.Abort() // has no effect after Close
	if err := dimacs.Write(out, f); err != nil {
		fmt.Println(err)
		return
	}
	if err := out.Close(); err != nil {
		fmt.Println(err)
		return
	}

	in, err := file.Open(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer in.Close()
	g, err := dimacs.Read(in)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(in.Compression(), g.Vars(), g.Len())
	// Output: zstd 2 1
}
