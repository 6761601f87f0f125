// Package file opens and makes the files that solvers read and write:
// compressed or not, by name or as standard input and output.
//
// Compression is recognized by content when reading, and chosen by the ending
// of the name when writing, in any letter case:
//
//	format   reading   writing
//	gzip     yes       .gz
//	xz       yes       .xz
//	zstd     yes       .zst, .zstd
//	bzip2    yes       no
//
// No other program is started, and no goroutine.
package file
