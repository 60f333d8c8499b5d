# SPDX-License-Identifier: Apache-2.0
"""Prints the versions of this Python and of the packages that kernels need, as one JSON document on stdout.

Nothing is imported: versions are read from the packages' own files, which takes milliseconds where importing PyTorch
takes seconds.
"""
import importlib.util
import json
import os
import re
import sys


def folder_of(package: str) -> str:
    """The folder of a package, or "" where it is not installed."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return ""
    return os.path.dirname(spec.origin) if spec is not None and spec.origin else ""


def assigned(package: str, file: str, name: str) -> str:
    """The text that a file of the package assigns to a name, or ""."""
    try:
        with open(os.path.join(folder_of(package), file), encoding="utf-8") as source:
            found = re.search(rf"^{name}\b[^=\n]*=\s*['\"]([^'\"]+)['\"]", source.read(), re.MULTILINE)
    except OSError:
        return ""
    return found.group(1) if found else ""


def version_of(package: str, file: str, name: str = "__version__") -> str:
    if not folder_of(package):
        return ""
    return assigned(package, file, name) or "of unknown version"


if __name__ == "__main__":
    answer = {
        "python": ".".join(str(part) for part in sys.version_info[:3]),
        "program": sys.executable,
        "torch": version_of("torch", "version.py"),
        "triton": version_of("triton", "__init__.py"),
        "numpy": version_of("numpy", "version.py", "version"),
        "cuda": assigned("torch", "version.py", "cuda"),
        "torch_npu": bool(folder_of("torch_npu")),
    }
    sys.stdout.write(json.dumps(answer))
