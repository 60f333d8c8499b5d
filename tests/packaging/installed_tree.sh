#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks of the tree that `cmake --install` makes. usage: installed_tree.sh CHECK TREE
set -euo pipefail

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# About 23 MiB, so that it can be copied to a GPU box in a moment.
is_small() {
    local kilobytes
    kilobytes=$(du -sk "$1" | cut -f1)
    [ "$kilobytes" -le 25600 ] || fail "the installed tree has $kilobytes KiB, more than 25600"
}

# What another system must be able to load.
readonly binaries=(bin/kernelgen lib/kernelgen/libkernelgen_executor.so)

# Ubuntu 24.04's glibc: every version that a symbol of a binary is bound to is 2.39's or older.
needs_no_newer_glibc() {
    local binary newest
    for binary in "${binaries[@]}"; do
        newest=$(readelf --version-info --wide "$1/$binary" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
        [ -n "$newest" ] || fail "readelf finds no glibc version in $1/$binary"
        [ "$(printf '%s\n' "$newest" GLIBC_2.39 | sort -V | tail -n 1)" = GLIBC_2.39 ] ||
            fail "$1/$binary needs $newest; the oldest supported system has GLIBC_2.39"
    done
}

needs_the_c_library_only() {
    local binary needed others
    for binary in "${binaries[@]}"; do
        needed=$(readelf --dynamic --wide "$1/$binary" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
        others=$(grep -vE '^(libc|libm|libdl|libpthread|librt|ld-linux.*)\.so' <<<"$needed" || true)
        [ -n "$needed" ] || fail "readelf finds no needed library in $1/$binary"
        [ -z "$others" ] || fail "$1/$binary needs libraries that another system may lack: $others"
    done
}

# Beside PyTorch in one process: none of its symbols may be taken for another library's, or the other way round.
library_exports_its_interface_only() {
    local exported
    exported=$(readelf --dyn-syms --wide "$1/lib/kernelgen/libkernelgen_executor.so" |
        awk '$5 != "LOCAL" && $7 != "UND" && $8 != "" && $1 ~ /^[0-9]+:$/ { print $8 }' | sort | paste -sd ' ')
    [ "$exported" = "kernelgen_executor_flush kernelgen_executor_serve" ] || fail "the executor's library exports: $exported"
}

# Copied elsewhere, started from elsewhere by a bare environment, it finds its samples and its resources.
runs_where_it_was_copied_to() {
    local elsewhere
    elsewhere=$(mktemp -d)
    # shellcheck disable=SC2064 # the folder of now
    trap "rm -rf '$elsewhere'" EXIT
    cp -r "$1" "$elsewhere/copy of kernelgen"
    cp -r "$1/share/kernelgen/projects/relu" "$elsewhere/project"
    cd /
    env -i PATH=/usr/bin:/bin HOME="$elsewhere" "$elsewhere/copy of kernelgen/bin/kernelgen" \
        verify "$elsewhere/project" --case P=3,D=65,dtype=f16
    env -i PATH=/usr/bin:/bin HOME="$elsewhere" "$elsewhere/copy of kernelgen/bin/kernelgen" \
        selftest --part faults --part cheats --variant host_finishes_later
}

"$1" "$2"
