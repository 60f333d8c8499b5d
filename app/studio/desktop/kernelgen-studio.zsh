#compdef kernelgen-studio
# SPDX-License-Identifier: GPL-3.0-or-later
# zsh completion of kernelgen-studio
_arguments \
    '--export[Write the optimization_log.md of PROJECT with its charts; needs no display]' \
    '--lang[Of the exported log]:language:(en zh)' \
    '--exit-when-shown[End once the window is drawn and idle, to time its start]' \
    '(-h --help)'{-h,--help}'[Print the options and end]' \
    '--help-all[Print the options, those of Qt too, and end]' \
    '(-v --version)'{-v,--version}'[Print the version and end]' \
    ':PROJECT:_files'
