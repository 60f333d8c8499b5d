# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion of kernelgen-studio
_kernelgen_studio() {
    local current=${COMP_WORDS[COMP_CWORD]} words=''
    COMPREPLY=()
    if [ "${COMP_WORDS[COMP_CWORD - 1]}" = --lang ]; then
        words='en zh'
    elif [[ $current == -* ]]; then
        words='--export --lang --exit-when-shown --help --help-all --version'
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o bashdefault -o default -F _kernelgen_studio kernelgen-studio
