# SPDX-License-Identifier: Apache-2.0
"""Has a file's test calls executed, in a process with limits, and hands on what they were (docs/IMPORT.md).

A program: {"file", "text", "place", "modules", "name", "reference", "entry", "seconds", "folder"} on stdin, where "modules"
are the texts of the file's own modules and "place" is its path among theirs, and "folder" is an empty one for the
processes, which whoever asks removes; on stdout what kernelgen_import_callable.py answers, with the "texts" of the
project's files and the "edits" in them. Here nothing of the file is executed.
"""
import ctypes
import json
import os
import re
import resource
import signal
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kernelgen_said import Said, say, told  # noqa: E402

GRACE_SECONDS = 60  # for importing PyTorch, and for the answer
LARGEST_FILE = 1 << 30
GPU = "/dev/nvidiactl"
BEYOND = "BeyondTensors"  # an exception of kernelgen_bounds.py
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def bytes_available() -> int:
    with open("/proc/meminfo", encoding="ascii") as lines:
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))


def limit() -> None:
    """In the child, before it becomes another program. Where there is a GPU, its driver reserves more addresses than there
    is memory; what the program itself allocates is bounded there too."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    limits = [resource.RLIMIT_DATA] if os.path.exists(GPU) else [resource.RLIMIT_DATA, resource.RLIMIT_AS]
    for each in limits:
        resource.setrlimit(each, (bytes_available(),) * 2)


def children() -> list:
    """Processes whose parent is this one: those that the file started come here when theirs ends."""
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as listed:
        return [int(each) for each in listed.read().split()]


def end_all() -> None:
    while left := children():
        for each in left:
            os.kill(each, signal.SIGKILL)
            os.waitpid(each, 0)


def run(request: dict, folder: str):
    """The exit status of the process, negative for a signal; None: it ran out of time."""
    with open(os.path.join(folder, "request.json"), "w", encoding="utf-8") as file:
        json.dump(request, file)
    for each in ("answer.json", "begun"):  # of an earlier execution
        if os.path.exists(os.path.join(folder, each)):
            os.remove(os.path.join(folder, each))
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernelgen_trace_file.py")
    environment = {**os.environ, "TMPDIR": folder}
    child = subprocess.Popen([sys.executable, "-B", program, folder], cwd=folder, env=environment, preexec_fn=limit,
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        return child.wait(request["seconds"] + GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        return None
    finally:
        end_all()


def refusal(request: dict, status: str, message: Said, advice: Said, line: int = 0) -> dict:
    return {"error": {"file": request["file"], "line": line, "status": status, **told("message", message),
                      **told("advice", advice)}}


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIGRTMIN+{number - signal.SIGRTMIN}" if number >= signal.SIGRTMIN else f"signal {number}"


def crashed_at(request: dict, folder: str) -> int:
    """The innermost line of the file when a signal ended it; 0: not known."""
    with open(os.path.join(folder, "crash"), encoding="utf-8", errors="replace") as file:
        own = re.escape(os.path.join(folder, os.path.basename(request["file"])))
        found = re.search(rf'File "{own}", line (\d+)', file.read())
    return int(found.group(1)) if found else 0


def answered(folder: str) -> dict:
    """What the process left; nothing where it ended before."""
    try:
        with open(os.path.join(folder, "answer.json"), encoding="utf-8") as file:
            return json.load(file)
    except OSError:
        return {}


def calls_begun(folder: str) -> int:
    try:
        with open(os.path.join(folder, "begun"), encoding="ascii") as file:
            return int(file.read() or 0)
    except OSError:
        return 0


def without_answer(request: dict, status, folder: str) -> dict:
    if status is None:
        return refusal(request, "timed_out", say("its test calls did not end within {:g} s, nor when told to", request["seconds"]),
                       say("make the sizes in the tests smaller, or give more time with --timeout 5m"))
    if status < 0:
        return refusal(request, "crashed", say("its test calls were ended by {}", signal_name(-status)),
                       say("most likely a kernel reads or writes beyond its tensors, or memory ran out"),
                       crashed_at(request, folder))
    return refusal(request, "crashed", say("its test calls ended the process with status {}", status),
                   say("leave out what calls os._exit, or run the file by itself to see where"))


def traced(request: dict, folder: str) -> dict:
    status = run(request, folder)
    if status is not None and status < 0 and calls_begun(folder) > 1:  # once more, up to the call that it died in
        run({**request, "calls": calls_begun(folder) - 1}, folder)
    if found := answered(folder):
        return found
    crashed = without_answer(request, status, folder)
    return beyond_tensors(request, folder) or crashed if status is not None and status < 0 else crashed


def beyond_tensors(request: dict, folder: str) -> dict:
    """Once more with each address of a kernel checked: the refusal at the first one beyond its tensors, if there is one."""
    run({**request, "checks_bounds": True}, folder)
    found = answered(folder)
    if BEYOND not in json.dumps(found):
        return {}
    found["error"]["status"] = "crashed"
    return found


def main(request: dict) -> dict:
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    answer = traced(request, request["folder"])
    if not answer.get("error", {}).get("too_long"):
        return answer
    smaller = traced({**request, "is_smaller": True}, request["folder"])
    is_refused = "error" in smaller and not smaller["error"].get("lacks_reference")
    return answer if is_refused else smaller


if __name__ == "__main__":
    json.dump(main(json.load(sys.stdin)), sys.stdout)
