#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks of the tree that `cmake --install` makes. usage: installed_tree.sh CHECK TREE
set -euo pipefail

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# A few megabytes, so that it can be copied to a GPU box in a moment.
is_small() {
    local kilobytes
    kilobytes=$(du -sk "$1" | cut -f1)
    [ "$kilobytes" -le 8192 ] || fail "the installed tree has $kilobytes KiB, more than 8192"
}

# Ubuntu 24.04's glibc: every version that a symbol of the program is bound to is 2.39's or older.
needs_no_newer_glibc() {
    local newest
    newest=$(readelf --version-info --wide "$1/bin/kernelgen" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
    [ -n "$newest" ] || fail "readelf finds no glibc version in $1/bin/kernelgen"
    [ "$(printf '%s\n' "$newest" GLIBC_2.39 | sort -V | tail -n 1)" = GLIBC_2.39 ] ||
        fail "$1/bin/kernelgen needs $newest; the oldest supported system has GLIBC_2.39"
}

needs_the_c_library_only() {
    local needed others
    needed=$(readelf --dynamic --wide "$1/bin/kernelgen" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    others=$(grep -vE '^(libc|libm|libdl|libpthread|librt|ld-linux.*)\.so' <<<"$needed" || true)
    [ -n "$needed" ] || fail "readelf finds no needed library in $1/bin/kernelgen"
    [ -z "$others" ] || fail "$1/bin/kernelgen needs libraries that another system may lack: $others"
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
}

"$1" "$2"
