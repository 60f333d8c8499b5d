#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks of what `./dev package` makes. usage: packages.sh CHECK FOLDER [CHECKOUT]
# FOLDER holds the packages. A check whose tool is missing ends with 77.
set -euo pipefail
# shellcheck source=../../tools/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../tools/environment.sh"

folder=$2 checkout=${3-}
work=$(mktemp -d /tmp/kernelgen-packages-XXXXXX)
trap 'rm -rf --one-file-system "$work"' EXIT

need() {
    local each
    for each in "$@"; do
        command -v "$each" >/dev/null || { echo "$each is missing" && exit 77; }
    done
}

unpack() {
    local each
    for each in "$folder"/*.deb; do dpkg-deb -x "$each" "$work/tree"; done
    tree=$work/tree/usr
}

field() { dpkg-deb -f "$folder"/"$1"_*.deb "$2"; }

command_line_needs_no_qt() {
    local needed
    needed=$(field kernelgen Depends)
    [[ $needed == libc6* && $needed != *,* ]] || die "kernelgen depends on more than libc6: $needed"
    [[ $(field kernelgen-studio Depends) == *"kernelgen (= "*libqt6widgets6* ]] || die "what the studio needs is not told"
}

# Nobody's machine is named, in binaries neither.
name_no_path_of_the_build() {
    unpack
    tar -C "$work" -xzf "$folder"/*.tar.gz
    ! grep -rlF -e "$checkout/" "$work" || die "these files name $checkout"
}

archive_is_the_tree_alone() {
    local names
    names=$(tar -tzf "$folder"/*.tar.gz)
    grep -q '^kernelgen-[^/]*/bin/kernelgen$' <<<"$names" || die "the archive has no program"
    ! grep -e kernelgen-studio -e '^/' -e '^usr' <<<"$names" || die "the archive holds what is for a desktop"
}

desktop_knows_the_studio() {
    need desktop-file-validate appstreamcli update-mime-database gio
    unpack
    desktop-file-validate "$tree"/share/applications/*.desktop
    appstreamcli validate --no-net --override=url-homepage-missing=info "$tree"/share/metainfo/*.xml
    knows_a_project
}

# A project's file has its own type by its schema, whatever its name; another program's project.json has not.
knows_a_project() {
    local name
    mkdir -p "$work/data/mime"
    cp -r "$tree/share/mime/packages" "$work/data/mime"
    cp /usr/share/mime/packages/freedesktop.org.xml "$work/data/mime/packages"
    update-mime-database "$work/data/mime"
    cp "$tree/share/kernelgen/projects/relu/project.json" "$work/project.json"
    cp "$work/project.json" "$work/saved"
    for name in project.json saved; do
        XDG_DATA_DIRS=$work/data XDG_DATA_HOME=$work/none gio info -a standard::content-type "$work/$name" |
            grep -q 'application/vnd.kernelgen.project+json' || die "$name is not known as a project"
    done
    printf '{"version": "1.0.0", "dependencies": {}}\n' >"$work/project.json"
    XDG_DATA_DIRS=$work/data XDG_DATA_HOME=$work/none gio info -a standard::content-type "$work/project.json" |
        grep -q 'application/json' || die "another program's project.json is taken for a project"
}

# As Debian's policy asks for.
has_changelog_and_copyright() {
    need dpkg-parsechangelog
    unpack
    local name
    for name in kernelgen kernelgen-studio; do
        gzip -dc "$tree/share/doc/$name/changelog.gz" >"$work/changelog"
        [ "$(dpkg-parsechangelog -l "$work/changelog" -S Version)" = "$(field "$name" Version)" ] ||
            die "the changelog of $name is of another version"
        [ "$(dpkg-parsechangelog -l "$work/changelog" -S Maintainer)" = "$(field "$name" Maintainer)" ] ||
            die "the changelog of $name names another maintainer"
        grep -q '^Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/$' \
            "$tree/share/doc/$name/copyright" || die "the copyright of $name cannot be read by programs"
    done
}

shells_complete() {
    need zsh fish
    unpack
    local script
    for script in "$tree"/share/bash-completion/completions/*; do bash -n "$script"; done
    for script in "$tree"/share/zsh/vendor-completions/*; do zsh -n "$script"; done
    for script in "$tree"/share/fish/vendor_completions.d/*; do fish -n "$script"; done
    completes_in_bash "kernelgen ro" "roofline rounds"
    completes_in_bash "kernelgen export mine --la" "--lang"
    completes_in_bash "kernelgen export mine --lang " "en zh"
    completes_in_bash "kernelgen completion z" "zsh"
    completes_in_bash "kernelgen-studio --lang " "en zh"
    completes_in_fish "kernelgen ro" "roofline rounds"
    completes_in_fish "kernelgen export mine --lang " "en zh"
}

# completes_in_bash LINE WORDS: what the line may go on with
completes_in_bash() {
    local got
    got=$(LINE=$1 bash -c '
        for each in "$0"/share/bash-completion/completions/*; do source "$each"; done
        read -ra COMP_WORDS <<<"$LINE"
        [[ $LINE != *" " ]] || COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        name=${COMP_WORDS[0]}
        "_${name//-/_}" && echo "${COMPREPLY[*]}"' "$tree" | tr ' ' '\n' | sort | paste -sd ' ')
    [ "$got" = "$2" ] || die "bash completes '$1' with: $got"
}

completes_in_fish() {
    local got
    got=$(HOME=$work fish --no-config -c "source $tree/share/fish/vendor_completions.d/kernelgen.fish
        complete -C '$1'" | cut -f1 | sort | paste -sd ' ')
    [ "$got" = "$2" ] || die "fish completes '$1' with: $got"
}

manual_pages_are_whole() {
    need mandoc
    unpack
    local page command words
    for page in "$tree"/share/man/man1/*.1; do mandoc -T lint -W warning "$page"; done
    mandoc "$tree/share/man/man1/kernelgen.1" | col -b >"$work/page"
    for command in run tune assembly completion; do grep -q "^   $command$" "$work/page" || die "no section on $command"; done
    # What the studio takes stands in its page and in what shells complete.
    words=$(QT_QPA_PLATFORM=offscreen "$tree/bin/kernelgen-studio" --help | grep -o -- '--[a-z-]*' | sort -u)
    for command in $words; do
        mandoc "$tree/share/man/man1/kernelgen-studio.1" | col -b | grep -q -e "$command" || die "no word on $command"
        grep -q -e "$command" "$tree/share/bash-completion/completions/kernelgen-studio" || die "bash lacks $command"
        grep -q -e "$command" "$tree/share/zsh/vendor-completions/_kernelgen-studio" || die "zsh lacks $command"
        grep -q -e "${command#--}" "$tree/share/fish/vendor_completions.d/kernelgen-studio.fish" || die "fish lacks $command"
    done
}

# A Debian 13 with nothing but apt. It takes some minutes, and a network.
run_in_a_bare_root() {
    need mmdebstrap
    [ "$(id -u)" = 0 ] || { echo "only root makes a root" && exit 77; }
    local options=() mirror propagation=private
    mountpoint -q / || propagation=unchanged # in a chroot of ./dev, whose mounts are private already
    mirror=$(host_mirror)
    mapfile -t options < <(apt_options | sed 's/^/--aptopt=/')
    mkdir "$work/packages"
    cp "$folder"/*.deb "$work/packages"
    unshare -m --propagation "$propagation" mmdebstrap --mode=root --variant=apt "${options[@]}" \
        --dpkgopt=force-unsafe-io --include=ca-certificates --customize-hook="copy-in $work/packages /root" \
        --customize-hook="copy-in ${BASH_SOURCE[0]%/*}/in_bare_root.sh /root" \
        --customize-hook='chroot "$1" bash /root/in_bare_root.sh >&2' "$suite" /dev/null "$mirror" ||
        die "the packages do not work in a bare root; the messages above say why"
}

"$1"
