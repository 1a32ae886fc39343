#!/usr/bin/env bash
# check.sh PROGRAM MPIRUN [EXAMPLE]: the same bits with 1, 2 and 4 ranks; a rank that fails ends all of them, with its words, and so
# does one that is killed, with mpirun's; the example runs.
set -eu
program=$1 mpirun=$2
options=(--oversubscribe --mca btl self,vader)
if [ "$(id -u)" -eq 0 ]; then options+=(--allow-run-as-root); fi
export OMPI_MCA_plm_rsh_agent=/bin/false  # one machine: nobody to call
one=$("$mpirun" "${options[@]}" -n 1 "$program")
for n in 2 4; do
    many=$("$mpirun" "${options[@]}" -n $n "$program")
    if [ "$one" != "$many" ]; then
        echo "1 rank gives $one, $n ranks give $many"
        exit 1
    fi
done
# ends HOW WORDS: with a rank that ends so the program ends, soon, and says the words.
ends() {
    local code=0
    timeout 60 "$mpirun" "${options[@]}" -n 3 "$program" "$1" >"$1.log" 2>&1 || code=$?
    if [ $code -eq 0 ] || [ $code -eq 124 ]; then
        echo "a rank that was told to $1 was not noticed: $code"
        exit 1
    fi
    if ! grep -q "$2" "$1.log"; then
        cat "$1.log"
        exit 1
    fi
}
ends fail "rank 1 of 3: this rank was told to fail"
ends die "signal 9"
if [ $# -gt 2 ]; then "$mpirun" "${options[@]}" -n 2 "$3" 5; fi
