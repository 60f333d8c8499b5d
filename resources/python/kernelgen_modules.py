# SPDX-License-Identifier: Apache-2.0
"""The modules of a project's folder that an operator's file imports; each loaded file has its own modules."""
import os
import sys
import types

OTHERS = frozenset(sys.modules)  # what the executor itself has imported is nobody's own


def write_files(folder: str, files: dict) -> None:
    """Writes each file to its path within `folder`."""
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as copy:
            copy.write(text)


def top_names(files: dict, beside: str) -> set:
    """The first names of imports of these files, from the project's folder or from its subfolder `beside`."""
    paths = list(files) + [os.path.relpath(name, beside or ".") for name in files]
    return {path.split("/")[0].removesuffix(".py") for path in paths if path.endswith(".py")} - {"..", "."}


class OwnModules:
    """The modules of one file. In this context imports find them before other modules of the same name."""

    def __init__(self, folder: str, main: str, files: dict):
        self.beside = beside = os.path.dirname(main)
        self.folders = list(dict.fromkeys([os.path.join(folder, beside).rstrip("/"), folder])) if files else []
        self.names = {name for name in top_names(files, beside) if name not in OTHERS}
        self.loaded = {}
        write_files(folder, files)

    def package_of(self, module: types.ModuleType) -> None:
        """Puts `module` into packages with the files beside it and above it, so that `from .helper import …` and
        `from ..helper import …` work."""
        packages = {module.__name__ + "_folder": self.folders[-1]}
        for part in filter(None, self.beside.split("/")):
            name, path = list(packages.items())[-1]
            packages[f"{name}.{part}"] = os.path.join(path, part)
        for name, path in packages.items():
            sys.modules[name] = types.ModuleType(name)
            sys.modules[name].__path__ = [path]
        module.__package__ = name

    def enter(self) -> None:
        self.forget()
        sys.modules.update(self.loaded)
        sys.path[:] = self.folders + [each for each in sys.path if each not in self.folders]

    def keep(self) -> None:
        """Remembers the modules that were imported since the context was entered."""
        self.loaded = {name: module for name, module in sys.modules.items() if name.split(".")[0] in self.names}

    def forget(self) -> None:
        for name in [each for each in sys.modules if each.split(".")[0] in self.names]:
            del sys.modules[name]

    def leave(self) -> None:
        self.forget()
        sys.path[:] = [each for each in sys.path if each not in self.folders]
