#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs in a Debian root that has nothing but apt: installs the packages in /root/packages, and uses them.
set -euxo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root
install() { apt-get install --yes --no-install-recommends "$@" >/tmp/apt.log 2>&1 || { tail -n 20 /tmp/apt.log && exit 1; }; }
cd /root

install ./packages/kernelgen_*.deb
kernelgen --version
kernelgen info /usr/share/kernelgen/projects/relu >/dev/null
if dpkg-query -W -f '${Package}\n' | grep -i qt; then exit 1; fi
# Without a compiler it says what is missing.
cp -r /usr/share/kernelgen/projects/relu relu
kernelgen verify relu --case P=3,D=65,dtype=f32 >said 2>&1 && exit 1
grep -i compiler said
install g++
kernelgen verify relu --case P=3,D=65,dtype=f32

install ./packages/kernelgen-studio_*.deb
export QT_QPA_PLATFORM=offscreen
kernelgen-studio --version
timeout 60 kernelgen-studio --exit-when-shown relu
timeout 60 kernelgen-studio --export relu
ls relu/optimization_log.md
grep -q kernelgen-studio.svg <(find /usr/share/icons/hicolor/scalable/apps)
apt-get remove --yes kernelgen >/dev/null 2>&1
if ls /usr/share/kernelgen /usr/bin/kernelgen* 2>/dev/null; then exit 1; fi
