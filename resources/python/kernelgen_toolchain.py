# SPDX-License-Identifier: Apache-2.0
"""Tells how C++ is compiled for this interpreter's PyTorch, as PyTorch's own extension builder does it.

A program: prints {"compile": flags, "nvcc": further ones of nvcc, "link": flags, "link_cuda": further ones for a GPU}.
"""
import json
import os
import sys
import sysconfig


def folders_of_headers(builder) -> list:
    folders = [each for each in builder.include_paths() if os.path.isdir(each)]
    folders.append(sysconfig.get_paths()["include"])
    if builder.CUDA_HOME is not None:
        folders.append(os.path.join(builder.CUDA_HOME, "include"))
    try:
        import pybind11  # some PyTorch comes without its headers

        folders.append(pybind11.get_include())
    except ImportError:
        pass
    return folders


def macros(torch) -> list:
    made = ["-DTORCH_API_INCLUDE_EXTENSION_H", f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}"]
    for name in ("COMPILER_TYPE", "STDLIB", "BUILD_ABI"):  # extensions share types where these agree
        value = getattr(torch._C, f"_PYBIND11_{name}", None)
        if value is not None:
            made.append(f'-DPYBIND11_{name}="{value}"')
    return made


def told() -> dict:
    import torch
    from torch.utils import cpp_extension as builder

    headers = [flag for folder in folders_of_headers(builder) for flag in ("-isystem", folder)]
    folders = [f"-L{each}" for each in builder.library_paths()]
    return {"compile": headers + macros(torch), "nvcc": list(builder.COMMON_NVCC_FLAGS),
            "link": folders + ["-lc10", "-ltorch_cpu", "-ltorch", "-ltorch_python"],
            "link_cuda": ["-lc10_cuda", "-ltorch_cuda"] if torch.version.cuda else []}


if __name__ == "__main__":
    answer = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what importing prints is no part of the answer
    os.dup2(1, 2)
    try:
        text = json.dumps(told())
    except BaseException as problem:
        text = json.dumps({"error": f"{type(problem).__name__}: {problem}"})
    with os.fdopen(answer, "w") as out:
        out.write(text)
    sys.stdout = None
