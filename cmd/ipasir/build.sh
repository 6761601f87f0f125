#!/usr/bin/env bash
# build.sh DIR: build the C library of Sator into DIR.
#
#   libsator.so   shared; exports the functions of the headers alone
#   libsator.a    static; its other symbols are local
#   ipasir.h, ipasir2.h, ipasir_up.h
#
# build.sh --install PREFIX: build into PREFIX/lib and PREFIX/include, with the version in the
# name of the shared library, and PREFIX/lib/pkgconfig/sator.pc.
#
# Needs Go, a C compiler, and the GNU binutils (ld, objcopy, ar) or ones that take the same
# options; the formats of macOS and Windows are not supported. CC names another compiler.
# With SATOR_LIBRARY=static or shared only that library is made.
set -euo pipefail

install=
[ "${1:-}" != --install ] || { install=1; shift; }
[ $# = 1 ] || { echo "usage: build.sh [--install] DIR" >&2; exit 2; }
lib=$1${install:+/lib} include=$1${install:+/include}
mkdir -p "$lib" "$include"
lib=$(cd "$lib" && pwd) include=$(cd "$include" && pwd)
cd "$(dirname "$0")"
only=${SATOR_LIBRARY:-}
version=$(sed -n 's/^const Number = "\(.*\)"$/\1/p' ../internal/version/version.go)
soname=libsator.so${install:+.${version%%.*}}

# The profile of cmd/sator is of the same engine. GOFLAGS=-pgo=off turns it off.
pgo=()
[[ " $(go env GOFLAGS) " == *" -pgo="* ]] || pgo=(-pgo=../sator/default.pgo)

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

if [ "$only" != static ]; then
	# The C side has the exported functions. Those that cgo adds stay inside.
	go build "${pgo[@]}" -buildmode=c-shared -o "$tmp/libsator.so" \
		-ldflags "-s -w -extldflags '-Wl,--version-script=$PWD/sator.map -Wl,-soname,$soname'" .
	mv "$tmp/libsator.so" "$lib/libsator.so${install:+.$version}"
	[ -z "$install" ] || { ln -sf "libsator.so.$version" "$lib/$soname"; ln -sf "$soname" "$lib/libsator.so"; }
fi

if [ "$only" != shared ]; then
	# One object of all members, in which the functions of the headers alone stay global.
	go build "${pgo[@]}" -buildmode=c-archive -o "$tmp/all.a" -ldflags "-s -w" .
	ld -r -d -o "$tmp/sator.o" --whole-archive "$tmp/all.a"
	objcopy --wildcard --keep-global-symbol='ipasir_*' --keep-global-symbol='ipasir2_*' "$tmp/sator.o"
	rm -f "$tmp/libsator.a"
	ar rcs "$tmp/libsator.a" "$tmp/sator.o"
	mv "$tmp/libsator.a" "$lib/"
fi

cp ipasir.h ipasir2.h ipasir_up.h "$include/"

if [ -n "$install" ]; then
	mkdir -p "$lib/pkgconfig"
	cat >"$lib/pkgconfig/sator.pc" <<-END
	prefix=$(dirname "$lib")
	libdir=\${prefix}/lib
	includedir=\${prefix}/include

	Name: sator
	Description: SAT solver with the interfaces IPASIR, IPASIR-2 and IPASIR-UP
	Version: $version
	Libs: -L\${libdir} -lsator
	Libs.private: -pthread
	Cflags: -I\${includedir}
	END
fi
