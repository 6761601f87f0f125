# Sets sator to the program that the scripts run: bin/sator or sator in their folder $here, else
# sator in PATH. The scripts read this file.
sator=sator
for program in "$here/bin/sator" "$here/sator"; do
	if test -x "$program"; then
		sator=$program
		break
	fi
done
