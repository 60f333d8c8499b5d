#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks of how ./dev judges its Debian root. usage: debian_root.sh CHECK
set -euo pipefail
# shellcheck source=../../tools/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../tools/environment.sh"

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/var/lib/dpkg"

# package NAME STATE: dpkg's record of one package in the root
package() {
    printf 'Package: %s\nStatus: install ok %s\nVersion: 1\nArchitecture: all\nMaintainer: nobody\nDescription: none\n\n' \
        "$@" >>"$root/var/lib/dpkg/status"
}

has_what_is_installed() {
    package cmake installed
    package clang installed
    root_has cmake clang
}

lacks_what_a_command_needs_more() {
    package cmake installed
    ! root_has cmake clang
}

# Also where the interrupted package is none that the command names.
is_not_used_after_an_interrupted_installation() {
    local state
    for state in half-installed unpacked half-configured triggers-pending; do
        : >"$root/var/lib/dpkg/status"
        package cmake installed
        package llvm "$state"
        ! root_has cmake || die "a root with a package that is $state is used"
    done
}

is_not_there_before_it_is_made() {
    rm -r "$root"
    ! root_has cmake
}

"$1"
