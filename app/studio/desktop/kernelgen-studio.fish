# SPDX-License-Identifier: GPL-3.0-or-later
# fish completion of kernelgen-studio
complete -c kernelgen-studio -l export -d "Write PROJECT's optimization_log.md with its charts; needs no display"
complete -c kernelgen-studio -l lang -x -a 'en zh' -d 'Of the exported log'
complete -c kernelgen-studio -l exit-when-shown -d 'End once the window is drawn and idle, to time its start'
complete -c kernelgen-studio -s h -l help -d 'Print the options and end'
complete -c kernelgen-studio -l help-all -d 'Print the options, those of Qt too, and end'
complete -c kernelgen-studio -s v -l version -d 'Print the version and end'
