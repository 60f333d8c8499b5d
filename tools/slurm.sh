#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A Slurm cluster of three nodes of one processor each, all on this machine and as this user, in a folder:
#   slurm.sh start FOLDER           then SLURM_CONF=FOLDER/slurm.conf srun hostname
#   slurm.sh kill-node FOLDER n2    as if the node had lost its power
#   slurm.sh stop FOLDER
# The exit status of `start` is 77 where Slurm or MUNGE are not installed.
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin

nodes=(n1 n2 n3)

die() {
    printf 'slurm: %s\n' "$1" >&2
    exit "${2-1}"
}

# Whether nothing listens on these ports of this machine.
are_free() {
    local port
    for port in "$@"; do
        ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || return 1
    done
}

choose_ports() {
    local i
    for ((i = 0; i < 20; ++i)); do
        port=$((20000 + RANDOM % 10000))
        are_free $port $((port + 1)) $((port + 2)) $((port + 3)) && return
    done
    die "no free ports between 20000 and 30000"
}

write_configuration() {
    local folder=$1 host i
    host=$(hostname)
    cat >"$folder/slurm.conf" <<TEXT
ClusterName=kernelgen
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=10
KillWait=2
TEXT
    for ((i = 0; i < ${#nodes[@]}; ++i)); do
        echo "NodeName=${nodes[i]} NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1 + i)) CPUs=1 State=UNKNOWN"
    done >>"$folder/slurm.conf"
    echo "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP" >>"$folder/slurm.conf"
    echo "CgroupPlugin=disabled" >"$folder/cgroup.conf"
}

start_munge() {
    local folder=$1
    (umask 077 && head -c 1024 /dev/urandom >"$folder/munge.key")
    munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
        --log-file="$folder/munged.log" --seed-file="$folder/munge.seed" >"$folder/munged.out" 2>&1 ||
        die "munged does not start: $(cat "$folder/munged.out" "$folder/munged.log" 2>/dev/null)"
}

start() {
    local folder=$1 program node i
    for program in munged slurmctld slurmd srun; do
        command -v $program >/dev/null || die "$program is not installed (Debian: slurm-wlm and munge)" 77
    done
    mkdir -p "$folder/state"
    choose_ports
    write_configuration "$folder"
    export SLURM_CONF=$folder/slurm.conf
    start_munge "$folder"
    slurmctld >"$folder/slurmctld.out" 2>&1 || die "slurmctld does not start: $(cat "$folder/slurmctld.out")"
    for node in "${nodes[@]}"; do
        mkdir -p "$folder/spool-$node"
        slurmd -N "$node" >"$folder/$node.out" 2>&1 || die "slurmd does not start: $(cat "$folder/$node.out")"
    done
    for ((i = 0; i < 200; ++i)); do
        [ "$(sinfo --noheader --Node --states=idle --format=%N 2>/dev/null | wc -l)" != ${#nodes[@]} ] || return 0
        sleep 0.1
    done
    die "the nodes do not become idle: $(sinfo --Node --format='%N %T %E' 2>&1; tail -n 3 "$folder"/*.log)"
}

pid_in() {
    cat "$1" 2>/dev/null || true
}

# processes_of REGEX: the tasks of nodes whose names match, and the slurmstepd above each.
processes_of() {
    local file pid
    for file in $(grep -lzxE "SLURMD_NODENAME=($1)" /proc/[0-9]*/environ 2>/dev/null); do
        grep -qzxF "SLURM_CONF=$SLURM_CONF" "$file" 2>/dev/null || continue
        pid=${file#/proc/} pid=${pid%/environ}
        awk '/^PPid:/ {print $2}' "/proc/$pid/status" 2>/dev/null |
            while read -r pid; do ! grep -qx slurmstepd "/proc/$pid/comm" 2>/dev/null || echo "$pid"; done
        echo "$pid"
    done
}

# The daemon first: it would report that the tasks have ended.
kill_node() {
    local pid
    pid=$(pid_in "$1/$2.pid")
    [ -n "$pid" ] || die "there is no node $2"
    kill -9 "$pid" 2>/dev/null || true
    for pid in $(processes_of "$2"); do kill -9 "$pid" 2>/dev/null || true; done
}

stop() {
    local folder=$1 node pid
    for node in "${nodes[@]}" slurmctld munged; do
        pid=$(pid_in "$folder/$node.pid")
        [ -z "$pid" ] || kill -9 "$pid" 2>/dev/null || true
    done
    for pid in $(processes_of "$(IFS='|' && echo "${nodes[*]}")"); do kill -9 "$pid" 2>/dev/null || true; done
}

[ $# -ge 2 ] || die "usage: slurm.sh start|stop FOLDER, slurm.sh kill-node FOLDER NODE"
folder=$(realpath -m "$2")
export SLURM_CONF=$folder/slurm.conf
case $1 in
    start) start "$folder" ;;
    kill-node) kill_node "$folder" "${3?which node}" ;;
    stop) stop "$folder" ;;
    *) die "unknown command '$1'" ;;
esac
