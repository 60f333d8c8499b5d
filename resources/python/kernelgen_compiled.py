# SPDX-License-Identifier: Apache-2.0
"""What Triton reports of the kernels that it compiled: registers, shared memory, stages, and their texts."""
import os
import re
import subprocess
import tempfile

TEXTS = ("ttir", "ttgir", "ptx")


class Model:
    """A driver for Triton without a GPU: kernels are compiled for its architecture and never launched."""

    def __init__(self, architecture: int):
        from triton.backends.compiler import GPUTarget

        self.target = GPUTarget("cuda", architecture, 32)

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, device=None) -> int:
        return 0

    def get_current_target(self):
        return self.target


def compile_for(architecture: int) -> None:
    """From now on Triton compiles for a GPU of this architecture (90 for sm_90), which need not be present."""
    from triton.runtime.driver import driver

    driver.set_active(Model(architecture))


class Watch:
    """A context that records every kernel that Triton launches; with `only_compile` none is really launched."""

    def __init__(self, only_compile: bool):
        self.only_compile = only_compile

    def __enter__(self) -> "Watch":
        self.kernels = {}
        try:
            from triton.runtime.jit import JITFunction
        except ImportError:
            self.watched = None
            return self
        self.watched, self.run = JITFunction, JITFunction.run
        original, only_compile = self.run, self.only_compile

        def run(function, *arguments, **keywords):
            if only_compile:
                keywords["warmup"] = True
            kernel = original(function, *arguments, **keywords)
            if hasattr(kernel, "metadata"):
                self.kernels[id(kernel)] = kernel
            return kernel

        JITFunction.run = run
        return self

    def __exit__(self, *error) -> None:
        if self.watched is not None:
            self.watched.run = self.run

    def describe(self) -> dict:
        """{"kernels": [resources of each kernel], "texts": {name: the text of all kernels}}"""
        kernels = list(self.kernels.values())
        texts = {}
        for name in TEXTS:
            parts = [text_of(kernel, name) for kernel in kernels]
            if any(parts):
                texts[name] = "\n".join(part for part in parts if part)
        return {"kernels": [resources_of(kernel) for kernel in kernels], "texts": texts}


def text_of(kernel, name: str) -> str:
    text = getattr(kernel, "asm", {}).get(name, "")
    return text if isinstance(text, str) else ""


def resources_of(kernel) -> dict:
    """The resources of one compiled kernel, without those that this version of Triton does not report."""
    metadata = kernel.metadata
    told = {
        "name": getattr(metadata, "name", getattr(kernel, "name", "")),
        "num_warps": getattr(metadata, "num_warps", None),
        "num_stages": getattr(metadata, "num_stages", None),
        "num_ctas": getattr(metadata, "num_ctas", None),
        "shared_bytes": getattr(metadata, "shared", None),
        "registers": getattr(kernel, "n_regs", None),
        "spilled_registers": getattr(kernel, "n_spills", None),
    }
    told = {name: value for name, value in told.items() if value is not None}
    return told if "registers" in told else {**told, **usage_of(getattr(kernel, "asm", {}).get("cubin"))}


def usage_of(cubin) -> dict:
    """Registers of a kernel that was never loaded, read by the tool that Triton contains."""
    import triton

    tool = os.path.join(os.path.dirname(triton.__file__), "backends", "nvidia", "bin", "cuobjdump")
    if not isinstance(cubin, bytes) or not os.path.exists(tool):
        return {}
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        answer = subprocess.run([tool, "--dump-resource-usage", file.name], capture_output=True, text=True, check=False)
    found = re.search(r"REG:(\d+) STACK:(\d+) SHARED:\d+ LOCAL:(\d+)", answer.stdout)
    if found is None:
        return {}
    registers, stack, local = (int(number) for number in found.groups())
    return {"registers": registers, "spilled_registers": max(stack, local) // 4}
