# SPDX-License-Identifier: Apache-2.0
"""What Triton says of the kernels that it compiled: registers, shared memory, stages, and their texts."""

TEXTS = ("ttir", "ttgir", "ptx")


class Watch:
    """While it is entered, every kernel that Triton launches is seen."""

    def __enter__(self) -> "Watch":
        self.kernels = {}
        try:
            from triton.runtime.jit import JITFunction
        except ImportError:
            self.watched = None
            return self
        self.watched, self.run = JITFunction, JITFunction.run
        original = self.run

        def run(function, *arguments, **keywords):
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
        """{"kernels": [what one takes], "texts": {name: all kernels' text}}"""
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
    """Of one compiled kernel; a version of Triton that does not tell something leaves it out."""
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
    return {name: value for name, value in told.items() if value is not None}
