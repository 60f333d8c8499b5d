# SPDX-License-Identifier: Apache-2.0
"""What an import changes in files that were written for one device, so that they run on the others: nothing else."""

import ast
import re

from kernelgen_sources import Source, all_parameters, is_kernel, launches_of, top_level_functions

ANY_DEVICE = '.device.type in ("npu", "cuda", "cpu")'
CHOSEN_DEVICE = '{} = "cuda" if torch.cuda.is_available() else "npu" if hasattr(torch, "npu") else "cpu"'


class Edits:
    """Replacements of a file's bytes, with what each is for."""

    def __init__(self, source: Source):
        self.source = source
        self.replacements, self.made = [], []

    def replace(self, span: tuple, text: str, line: int, why: str):
        before = self.source.data[span[0] : span[1]].decode("utf-8")
        self.replacements.append((*span, text))
        self.made.append(
            {
                "line": line,
                "message": f"`{before}` became `{text}`: {why}" if before else f"`{text.strip()}` was added: {why}",
            }
        )

    def result(self) -> tuple:
        return self.source.edited(self.replacements), self.made


def device_checks(function: ast.FunctionDef) -> list:
    """`x.is_npu` and `x.is_cuda` in the conditions of assertions and of what raises."""
    conditions = [node.test for node in ast.walk(function) if isinstance(node, ast.Assert)]
    conditions += [
        node.test
        for node in ast.walk(function)
        if isinstance(node, ast.If) and any(isinstance(each, ast.Raise) for each in node.body)
    ]
    return [
        node
        for condition in conditions
        for node in ast.walk(condition)
        if isinstance(node, ast.Attribute) and node.attr in ("is_npu", "is_cuda") and isinstance(node.value, ast.Name)
    ]


def name_span(source: Source, function: ast.FunctionDef) -> tuple:
    """Where a function's name stands in its `def`."""
    start, end = source.span(function)
    match = re.compile(rb"\bdef\s+([^\s(]+)").search(source.data, start, end)
    return match.span(1)


def rename_hidden_kernel(edits: Edits, entry: str):
    """A kernel of the wrapper's own name is no longer there when the wrapper launches it: it takes another name."""
    source = edits.source
    functions = top_level_functions(source)
    wrappers = [each for each in functions if each.name == entry and not is_kernel(each)]
    kernels = [each for each in functions if each.name == entry and is_kernel(each)]
    if not wrappers or not kernels or wrappers[-1].lineno < kernels[-1].lineno:
        return
    taken = {node.id for node in ast.walk(source.tree) if isinstance(node, ast.Name)} | {
        each.name for each in functions
    }
    name = entry + "_kernel"
    while name in taken:
        name += "_"
    why = f"the wrapper `{entry}`, defined after it, would take its place"
    edits.replace(name_span(source, kernels[-1]), name, kernels[-1].lineno, why)
    for function in functions:
        for launch in launches_of(function):
            if isinstance(launch.func.value, ast.Name) and launch.func.value.id == entry:
                edits.replace(source.span(launch.func.value), name, launch.lineno, "the kernel's new name")


def make_optional_imports(edits: Edits):
    """`import torch_npu` alone on its line: needed on an NPU, missing elsewhere."""
    source = edits.source
    for node in source.tree.body:
        if (
            isinstance(node, ast.Import)
            and [each.name for each in node.names] == ["torch_npu"]
            and node.col_offset == 0
        ):
            text = "try:\n    import torch_npu\nexcept ImportError:\n    pass"
            edits.replace(source.span(node), text, node.lineno, "only an NPU has it")


def edit_kernel_file(source: Source, entry: str) -> tuple:
    """(text, edits) of a kernel's or a baseline's file: checks hold on every device, a hidden kernel is renamed."""
    edits = Edits(source)
    for function in top_level_functions(source):
        parameters = {each.arg for each in all_parameters(function)}
        for node in [] if is_kernel(function) else device_checks(function):
            why = "the check was for one kind of device" if node.value.id in parameters else "as for the parameters"
            start, end = source.span(node)
            edits.replace((start, end), node.value.id + ANY_DEVICE, node.lineno, why)
    rename_hidden_kernel(edits, entry)
    make_optional_imports(edits)
    return edits.result()


def edit_test_file(source: Source) -> tuple:
    """(text, edits) of a test file that was written for an NPU: it chooses its device when it runs."""
    edits = Edits(source)
    name = "DEVICE"
    taken = {node.id for node in ast.walk(source.tree) if isinstance(node, ast.Name)}
    while name in taken:
        name = "TEST_" + name
    make_optional_imports(edits)
    optional = len(edits.made)
    for node in ast.walk(source.tree):
        why = "the device is chosen when the file runs"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
            if node.func.attr == "npu" and not node.keywords:
                start = source.span(node.func.value)[1]
                edits.replace((start, source.span(node)[1]), f".to({name})", node.lineno, why)
        if (
            isinstance(node, ast.Attribute)
            and node.attr == "npu"
            and isinstance(node.value, ast.Name)
            and node.value.id == "torch"
        ):
            edits.replace(source.span(node), f"getattr(torch, {name})", node.lineno, why)
        if (
            isinstance(node, ast.keyword)
            and node.arg == "device"
            and isinstance(node.value, ast.Constant)
            and str(node.value.value).startswith("npu")
        ):
            edits.replace(source.span(node.value), name, node.value.lineno, why)
    imports = [node for node in source.tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    if len(edits.made) > optional and imports:
        end = source.span(imports[-1])[1]
        edits.replace(
            (end, end), "\n\n" + CHOSEN_DEVICE.format(name), imports[-1].lineno, "CUDA, else an NPU, else the CPU"
        )
    return edits.result()
