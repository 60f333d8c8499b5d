# shellcheck shell=bash disable=SC2016 # single quotes keep apt's and the inner shell's own $
# SPDX-License-Identifier: Apache-2.0
# The build environment: Debian 13's packages, on the host itself or in one root beside it, which grows by what a command
# needs. Sourced by ./dev.

suite=trixie
triton_version=3.2.0 # fits Debian 13's PyTorch 2.6
kernel_tuner_version=1.5.0
mcp_version=2.3.0
# shellcheck disable=SC2034 # ./dev reads them
base_packages=(g++ cmake ninja-build ccache git binutils procps nlohmann-json3-dev libgtest-dev libgmock-dev
    libdnnl-dev libcli11-dev libxxhash-dev libeigen3-dev zlib1g-dev)
# shellcheck disable=SC2034 # for the window
studio_packages=(qt6-base-dev qt6-svg-dev qt6-tools-dev qt6-l10n-tools qt6-translations-l10n libqcustomplot-dev
    libkf6syntaxhighlighting-dev xvfb fonts-dejavu-core fonts-wqy-microhei)
# shellcheck disable=SC2034 # for the tests of Python kernels
python_packages=(python3-torch python3-venv libtorch-dev python3-setuptools pybind11-dev) # the last three to compile for PyTorch
# shellcheck disable=SC2034 # for `slurm`, and for the test of tuning on a cluster
slurm_packages=(slurm-wlm munge)
# shellcheck disable=SC2034 # for `bench search`
kernel_tuner_packages=(python3-venv)
# shellcheck disable=SC2034 # for `package`, and for the tests of what it makes
package_packages=(dpkg-dev file desktop-file-utils appstream shared-mime-info libglib2.0-bin mandoc zsh fish mmdebstrap)
# shellcheck disable=SC2034 # and these only for fuzz, format and tidy
clang_packages=(clang libclang-rt-19-dev llvm clang-format clang-tidy)

die() {
    printf 'dev: %s\n' "$*" >&2
    exit 1
}

# Sets `root` to the Debian 13 root to enter, or to nothing where the host itself is the environment.
prepare_environment() {
    root=
    if host_is "$suite" || installed "$@"; then
        install_natively "$@"
    elif command -v apt-get >/dev/null && host_is_debian; then
        prepare_root "$@"
    else
        die "this is neither Debian nor a system that has these packages: $*
     Install what corresponds to them, or work in a Debian 13 container."
    fi
}

host_is_debian() { (. /etc/os-release && [ "$ID" = debian ]); }

# Debian of that suite or newer (testing and unstable have no VERSION_ID).
host_is() {
    [ "$1" = trixie ] && host_is_debian && (. /etc/os-release && [ "${VERSION_ID:-99}" -ge 13 ])
}

# installed [--admindir=FOLDER] PACKAGE...
installed() {
    command -v dpkg-query >/dev/null || return 1
    local states
    states=$(dpkg-query -W -f '${db:Status-Status}\n' "$@" 2>/dev/null) || return 1
    ! grep -qvx installed <<<"$states"
}

install_natively() {
    installed "$@" && return
    echo "dev: installing $*" >&2
    local log
    log=$(mktemp)
    { as_root apt-get update && as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends "$@"; } >"$log" 2>&1 || {
        tail -n 15 "$log" >&2
        die "apt could not install these packages; its last messages are above"
    }
    rm "$log"
}

as_root() {
    need_root
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

need_root() {
    [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
        die "this needs root and there is no sudo: run ./dev as root, or install sudo and let '$(id -un)' use it"
}

# The root with these packages, made on the first call and grown by what a later one needs. Commands that are running in
# it meanwhile go on: packages are added, and dpkg replaces files as a whole.
prepare_root() {
    local folder=${KERNELGEN_ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/kernelgen-dev}
    root=$folder/$suite
    root_has "$@" && return
    need_root
    mkdir -p "$folder" || die "cannot make $folder; set KERNELGEN_ROOT to a folder you may write, with 3 GB free"
    root=$(cd "$folder" && pwd -P)/$suite
    exec 9>"$folder/lock"
    flock -n 9 || { echo "dev: waiting for another ./dev that installs into $root" >&2 && flock 9; }
    [ -d "$root" ] || make_root "$@"
    root_has "$@" || grow_root "$@"
    exec 9>&-
}

# Whether these packages are in the root, and no installation into it was interrupted or is under way.
root_has() {
    local database=--admindir=$root/var/lib/dpkg
    [ -d "$root" ] && installed "$database" "$@" &&
        [ -z "$(dpkg-query "$database" -W -f '${db:Status-Status}\n' | grep -vxE 'installed|config-files')" ]
}

# Called under the lock. The root appears under its name only when complete.
make_root() {
    local partial=$root.partial log=$root.log mirror options=()
    mirror=$(host_mirror)
    mapfile -t options < <(apt_options | sed 's/^/--aptopt=/')
    options+=(--dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/man/*'
        --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/doc/*')
    as_root rm -rf --one-file-system "$partial"
    { command -v mmdebstrap && command -v mount; } >/dev/null || install_natively mmdebstrap mount
    echo "dev: making a Debian 13 root in $root from $mirror (once; a few minutes)" >&2
    trap 'as_root rm -rf --one-file-system "$partial"; exit 130' INT TERM
    # Its own mount namespace: whatever happens to it, no mount of the root stays on the host.
    as_root unshare -m --propagation private mmdebstrap --mode=root --variant=apt "${options[@]}" \
        --include="$(IFS=, && echo "$*")" "$suite" "$partial" "$mirror" >"$log" 2>&1 || {
        as_root rm -rf --one-file-system "$partial"
        explain_failure "$log" "$mirror"
    }
    as_root mv -T "$partial" "$root"
    trap - INT TERM
    tell_of_old_roots
}

# There was one root for each set of packages.
tell_of_old_roots() {
    local old=("${root%/*}"/root-*)
    [ ! -e "${old[0]}" ] ||
        echo "dev: older checkouts made the roots ${root%/*}/root-*: no longer used here, they may be removed" >&2
}

# Called under the lock.
grow_root() {
    local log=$root.log mirror settings
    mirror=$(host_mirror)
    settings=$(apt_options)
    echo "dev: adding packages to $root (once; a minute)" >&2
    as_root unshare -m --propagation private bash -euc "$(declare -f install_into_root)
        install_into_root \"\$@\"" dev "$root" "deb $mirror $suite main" "$settings" "$@" >"$log" 2>&1 </dev/null ||
        explain_failure "$log" "$mirror"
    root_has "$@" || die "$root is damaged: remove it, and ./dev makes it again; all messages are in $log"
}

# install_into_root ROOT SOURCE SETTINGS PACKAGE...: runs as root in a private mount namespace. The host's apt downloads,
# as it did when the root was made; the root's dpkg installs, first what an interrupted call left.
install_into_root() {
    local root=$1 source=$2 settings=$3 path
    shift 3
    export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive APT_CONFIG=$root/etc/apt/from-outside.conf
    unset TMPDIR
    for path in /proc /sys; do mount --bind "$path" "$root$path"; done
    mount --rbind /dev "$root/dev"
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # no package starts a service
    chmod +x "$root/usr/sbin/policy-rc.d"
    echo "$source" >"$root/etc/apt/sources.list"
    printf '%s\n' "Dir \"$root\";" "DPkg::Chroot-Directory \"$root\";" 'DPkg::Lock::Timeout "600";' "$settings" >"$APT_CONFIG"
    chroot "$root" dpkg --configure -a || true # fails where an archive was not unpacked; apt fetches that again
    apt-get update
    apt-get install --yes --fix-broken --no-upgrade --no-install-recommends "$@"
    apt-get clean
    rm -rf "$root"/var/lib/apt/lists/*
}

# The mirror that the host's own apt uses for its release.
host_mirror() {
    local mirror
    mirror=$(mirror_of_apt)
    if [ -z "$mirror" ]; then # apt answers only once it has been there
        as_root apt-get update -qq >&2 || die "apt-get update fails; its messages above say why"
        mirror=$(mirror_of_apt)
    fi
    case $mirror in
        mirror+file:*) mirror=$(awk '!/^#/ {print $1; exit}' "${mirror#mirror+file:}") ;;
        '') die "apt's configuration names no Debian mirror: is there a 'deb' line in /etc/apt/sources.list{,.d}?" ;;
    esac
    echo "$mirror"
}

mirror_of_apt() {
    local codename
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    apt-get indextargets --format '$(ORIGIN) $(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
        awk -v release="Debian $codename main" '$1 " " $2 " " $3 == release {print $4; exit}'
}

# The host's settings for downloads (proxies, checks of dates, retries …), in apt's own words.
apt_options() {
    apt-config dump | grep -E '^Acquire::(Check-|Max-FutureTime|Retries|ForceIPv|http|https|tor)[^ ]* ".+";$' || true
}

explain_failure() {
    local log=$1 mirror=$2 why
    tail -n 15 "$log" >&2
    if grep -q 'No space left on device' "$log"; then
        why="the disk is full: a root needs 1 to 3 GB. Free some, or set KERNELGEN_ROOT to a folder on another disk"
    elif grep -qE 'Could not resolve|Temporary failure|Could not connect|Connection (refused|timed out)|unreachable' "$log"; then
        why="the mirror $mirror cannot be reached: check the network, or the proxy in apt's configuration"
    elif grep -qE 'unshare.*(failed|not permitted)|mount.*(denied|not permitted)' "$log"; then
        why="this system forbids mounts: in a container, start it with --privileged (or --cap-add SYS_ADMIN)"
    else
        why="the packages could not be installed; all messages are in $log"
    fi
    die "$why"
}

# Never returns: runs CMD in the root as this user, in the current folder, with the host's folders at their own paths.
# The mounts are in a private namespace, so they end with the command.
enter_root() {
    need_root
    local enter=(unshare -m --propagation private bash -euc "$(declare -f mount_into_root bind pass_driver run_in_root)
        run_in_root \"\$@\"" dev "$root" "$checkout" "$PWD" "$(cache_folder)" "$(id -u):$(id -g)" "$(id -G | tr ' ' ,)")
    export HOME LANG=C.UTF-8 LC_ALL=C.UTF-8 KERNELGEN_ENVIRONMENT=ready
    case ${TMPDIR-} in /tmp | /tmp/*) ;; *) unset TMPDIR ;; esac
    if [ "$(id -u)" = 0 ]; then exec "${enter[@]}" "$@"; else exec sudo -E "${enter[@]}" "$@"; fi
}

cache_folder() {
    local folder=${XDG_CACHE_HOME:-$HOME/.cache}
    mkdir -p "$folder"
    echo "$folder"
}

# Prints the interpreter that has Debian's PyTorch and, from PyPI, the Triton that fits it.
python_interpreter() {
    interpreter_with "triton==$triton_version" "Triton (0.7 GB)" python-triton-$triton_version --system-site-packages
}

# Prints an interpreter that has Kernel Tuner, from PyPI.
kernel_tuner_interpreter() {
    interpreter_with "kernel_tuner==$kernel_tuner_version" "Kernel Tuner (0.6 GB)" kernel-tuner-$kernel_tuner_version
}

# Prints an interpreter that has the Model Context Protocol's SDK, from PyPI.
mcp_interpreter() {
    interpreter_with "mcp==$mcp_version" "the Model Context Protocol's SDK (0.1 GB)" mcp-$mcp_version
}

# interpreter_with PACKAGE NAME FOLDER [OPTION...]: prints the interpreter of a virtual environment with a package from
# PyPI, made on the first call. Where the package cannot be had, says why and prints the plain one: what needs the package
# is then skipped.
interpreter_with() {
    local package=$1 name=$2 folder partial log
    folder=$(cache_folder)/kernelgen-dev/$3
    shift 3
    if [ ! -x "$folder/bin/python3" ]; then
        partial=$folder.partial log=$folder.log
        mkdir -p "${folder%/*}"
        rm -rf "$partial"
        echo "dev: installing $name into $folder (once; a minute)" >&2
        { python3 -m venv "$@" "$partial" &&
            "$partial/bin/python3" -m pip install --no-input "$package" &&
            mv -T "$partial" "$folder"; } >"$log" 2>&1 || {
            tail -n 3 "$log" >&2
            echo "dev: $name is missing, so what needs it is skipped; all messages are in $log" >&2
            rm -rf "$partial"
            command -v python3
            return
        }
    fi
    echo "$folder/bin/python3"
}

# The rest runs as root in the private namespace.
# run_in_root ROOT CHECKOUT FOLDER CACHE UID:GID GROUPS CMD...
run_in_root() {
    local root=$1 folder=$3 user=$5 groups=$6
    mount_into_root "$root" "$2" "$folder" "$4"
    shift 6
    export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    pass_driver "$root"
    exec chroot --userspec="$user" --groups="$groups" "$root" /bin/bash -c \
        'cd "$0" 2>/dev/null || { echo "dev: the folder $0 is not visible in the build environment" >&2; exit 1; }
         exec "$@"' "$folder" "$@"
}

mount_into_root() {
    local root=$1 checkout=$2 folder=$3 cache=$4 path
    for path in /proc /sys /dev /tmp; do mount --rbind "$path" "$root$path"; done
    cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
    [ ! -d "$checkout/../shared" ] || bind "$root" "$(realpath "$checkout/../shared")"
    bind "$root" "$cache"
    case $folder in
        / | /bin | /boot* | /dev* | /etc* | /lib* | /proc* | /run | /sbin | /sys* | /tmp* | /usr | /usr/[!l]* | /usr/lib* | /var) ;;
        *) bind "$root" "$folder" ;;
    esac
    bind "$root" "$checkout"
    path=$(git -c safe.directory='*' -C "$checkout" rev-parse --path-format=absolute --git-common-dir 2>/dev/null) &&
        case $path/ in "$checkout"/*) ;; *) bind "$root" "$path" ;; esac
    if [ -n "${DISPLAY-}${WAYLAND_DISPLAY-}" ]; then
        [ ! -d "${XDG_RUNTIME_DIR:-/nonexistent}" ] || bind "$root" "$XDG_RUNTIME_DIR"
        [ ! -f "${XAUTHORITY:=$HOME/.Xauthority}" ] || bind "$root" "$XAUTHORITY"
    fi
    # What tells the host's pip where packages are and whom to trust.
    for path in /etc/pip.conf "$HOME/.config/pip" "${PIP_CONFIG_FILE-}" "${PIP_CERT-}" "${SSL_CERT_FILE-}" \
        "${REQUESTS_CA_BUNDLE-}"; do
        [ ! -e "$path" ] || bind "$root" "$path"
    done
    if [ -d /usr/local/cuda ]; then
        mkdir -p "$root/usr/local/cuda"
        mount --rbind "$(realpath /usr/local/cuda)" "$root/usr/local/cuda"
    fi
}

# bind ROOT PATH: PATH of the host at the same place inside.
bind() {
    if [ -d "$2" ]; then mkdir -p "$1$2"; else mkdir -p "$1${2%/*}" && touch "$1$2"; fi
    mount --rbind "$2" "$1$2"
}

# The GPU driver's libraries and nvidia-smi, where the host has them, in a folder of their own.
pass_driver() {
    local libraries file target
    libraries=$(ldconfig -p | awk '/^\t(libcuda\.so|libcudadebugger\.so|libnvidia-)/ && /x86-64|AArch64/ {print $NF}')
    [ -n "$libraries" ] || return 0
    target=/opt/driver
    mkdir -p "$1$target"
    mount -t tmpfs driver "$1$target"
    for file in $libraries $(command -v nvidia-smi || true); do
        touch "$1$target/${file##*/}"
        mount --bind "$(realpath "$file")" "$1$target/${file##*/}"
    done
    export LD_LIBRARY_PATH=$target PATH=$PATH:$target
}
