#!/bin/sh
# Builds the solver into bin/sator beside this script, as the SAT Competition asks: without
# arguments. It needs Go. The script is in the top folder of the sources, or where it
# stands in the source tree of Sator. The modules that the solver needs are downloaded unless
# the sources have a folder vendor (see pack.sh).
set -eu
cd "$(dirname "$0")"
mkdir -p bin
out=$PWD/bin/sator
if ! test -e go.mod; then
	cd ../..
fi
CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o "$out" ./cmd/sator
"$out" version
