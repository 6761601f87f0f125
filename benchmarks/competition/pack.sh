#!/bin/sh
# Makes the folder that is submitted to the SAT Competition: the sources at the last commit,
# the sources of the modules that they need (folder vendor), so that nothing is downloaded
# during the build, and build.sh and the run scripts on top.
#
#	pack.sh FOLDER
#
# FOLDER must not exist.
set -eu
if test $# != 1; then
	echo "usage: pack.sh FOLDER" >&2
	exit 2
fi
if test -e "$1"; then
	echo "pack.sh: $1 exists" >&2
	exit 1
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
git archive --format=tar HEAD | tar -x -C "$folder" -f -
cp benchmarks/competition/*.sh benchmarks/competition/description.tex "$folder"
cd "$folder"
go mod vendor
