# SPDX-License-Identifier: Apache-2.0
"""Where a Python file's own extensions are built (`torch.utils.cpp_extension.load_inline` and `load`): in a folder of
the program's cache for this text, so that another file of the same extension's name neither replaces nor waits for them."""
import contextlib
import fcntl
import glob
import hashlib
import os
import tempfile

BUILDER = "cpp_extension"


def cache_folder() -> str:
    """As `cache_folder` of core/base/file.cpp."""
    for variable, within in (("XDG_CACHE_HOME", ""), ("HOME", ".cache")):
        base = os.environ.get(variable, "")
        if os.path.isabs(base) and os.access(base, os.W_OK):
            return os.path.join(base, within, "kernelgen")
    return os.path.join(tempfile.gettempdir(), f"kernelgen-{os.geteuid()}")


@contextlib.contextmanager
def own_extensions(text: str):
    """While a file of this text is executed, which no other process does then. A lock that a killed process has left in
    the folder would be waited for forever: it is removed."""
    if BUILDER not in text:
        yield
        return
    name = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
    folder = os.path.join(cache_folder(), "inline", name)
    os.makedirs(folder, exist_ok=True)
    os.environ["TORCH_EXTENSIONS_DIR"] = folder  # stays, for what is built in a call
    with open(os.path.join(folder, "executing"), "w", encoding="utf-8") as executing:
        fcntl.flock(executing, fcntl.LOCK_EX)
        for left in glob.glob(os.path.join(glob.escape(folder), "*", "lock")):
            os.remove(left)
        yield
