# processes.sh: solve cubes with a server and two workers, three processes on this machine.
#
#   sh processes.sh CUBES PROOF
#
# The server makes the folder grid.run, and writes its address there.

rm -f grid.run/address
sator-grid serve "$1" -j 0 --listen localhost:0 --run grid.run --proof "$2" --proof-format lrat -q &
server=$!
until [ -s grid.run/address ]; do
	kill -0 $server || exit 1
	sleep 0.1
done
address=$(cat grid.run/address)

sator-grid work "$address" -j 1 -q &
sator-grid work "$address" -j 1 -q &
wait
