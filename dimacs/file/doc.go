// Package file opens and creates the files of SAT solvers, with transparent
// compression: gzip, xz, zstd, and bzip2 for reading only.
//
//	in, err := file.Open("problem.cnf.xz") // or "-", standard input
//	if err != nil {
//		return err
//	}
//	defer in.Close()
//	f, err := dimacs.Read(in)
//	if err != nil {
//		return err
//	}
//	out, err := file.Create("copy.cnf.gz") // or "-", standard output
//	if err != nil {
//		return err
//	}
//	defer out.Abort() // has no effect after Close
//	if err := dimacs.Write(out, f); err != nil {
//		return err
//	}
//	return out.Close() // copy.cnf.gz is replaced only now
//
// Reading recognizes the compression by content. Writing chooses it by the ending
// of the name, in upper or lower case:
//
//	format   reading   writing
//	gzip     yes       .gz
//	xz       yes       .xz
//	zstd     yes       .zst, .zstd
//	bzip2    yes       no
//
// The package starts no other program and no goroutine. It is not a part of
// dimacs because it needs libraries.
//
// # Files
//
//   - open.go: [File], for reading, and the table of compression formats.
//   - gzip.go, xz.go, zstd.go: decompression with the checks that the libraries lack.
//   - create.go: [Writer], which writes a temporary file beside the old file and
//     replaces that with the complete file.
package file
