# SPDX-License-Identifier: Apache-2.0
"""The edits of an import: files that were written for one device also run on the others afterwards."""

import ast
import re

from kernelgen_said import Said, say, told
from kernelgen_sources import (
    Source,
    all_parameters,
    bound_names,
    is_kernel,
    launches_of,
    own_nodes,
    top_level_functions,
)

ANY_DEVICE = '.device.type in ("npu", "cuda", "cpu")'
CHOSEN_DEVICE = '{} = "cuda" if torch.cuda.is_available() else "npu" if hasattr(torch, "npu") else "cpu"'


class Edits:
    """Replacements of a file's bytes, each with its purpose."""

    def __init__(self, source: Source):
        self.source = source
        self.replacements, self.made = [], []

    def replace(self, span: tuple, text: str, line: int, why: Said):
        before = self.source.data[span[0] : span[1]].decode("utf-8")
        self.replacements.append((*span, text))
        what = say("`{}` became `{}`: {}", before, text, why) if before else say("`{}` was added: {}", text.strip(), why)
        self.made.append({"line": line, **told("message", what)})

    def result(self) -> tuple:
        return self.source.edited(self.replacements), self.made


def device_checks(function: ast.FunctionDef) -> list:
    """`x.is_npu` and `x.is_cuda` in the conditions of assertions, and of `if`s that raise."""
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


def tight_operands(function: ast.FunctionDef) -> set:
    """The operands of operators whose precedence is at least that of `in`."""
    return {
        operand
        for node in ast.walk(function)
        if isinstance(node, (ast.Compare, ast.BinOp))
        or (isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not))
        for operand in ast.iter_child_nodes(node)
    }


def name_span(source: Source, function: ast.FunctionDef) -> tuple:
    """The position of a function's name in its `def`."""
    start, end = source.span(function)
    match = re.compile(rb"\bdef\s+([^\s(]+)").search(source.data, start, end)
    return match.span(1)


def rename_hidden_kernel(edits: Edits, entry: str):
    """Renames a kernel with the wrapper's name, which the wrapper would replace before it launches the kernel."""
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
    why = say("the wrapper `{}`, defined after it, would take its place", entry)
    edits.replace(name_span(source, kernels[-1]), name, kernels[-1].lineno, why)
    for function in functions:
        for launch in launches_of(function):
            if isinstance(launch.func.value, ast.Name) and launch.func.value.id == entry:
                edits.replace(source.span(launch.func.value), name, launch.lineno, say("the kernel's new name"))


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
            edits.replace(source.span(node), text, node.lineno, say("only an NPU has it"))


def edit_kernel_file(source: Source, entry: str) -> tuple:
    """(text, edits) of a kernel's or a baseline's file: checks hold on every device, a hidden kernel is renamed."""
    edits = Edits(source)
    for function in top_level_functions(source):
        parameters = {each.arg for each in all_parameters(function)}
        tight = tight_operands(function)
        for node in [] if is_kernel(function) else device_checks(function):
            is_first = node.value.id in parameters
            why = say("the check was for one kind of device") if is_first else say("as for the parameters")
            text = node.value.id + ANY_DEVICE
            edits.replace(source.span(node), f"({text})" if node in tight else text, node.lineno, why)
    rename_hidden_kernel(edits, entry)
    make_optional_imports(edits)
    return edits.result()


def binds_torch(statement: ast.stmt) -> bool:
    """Whether the name `torch` is bound after a statement of a file's top level, where the file imports it."""
    if not isinstance(statement, (ast.Import, ast.Try, ast.With)):
        return False
    return "torch" in bound_names(node for node in own_nodes([statement]) if isinstance(node, ast.alias))


def choose_device(edits: Edits, name: str):
    """Adds the test's device after the file's imports, where the name `torch` is bound."""
    source = edits.source
    body = source.tree.body
    imports = [each for each in body if isinstance(each, (ast.Import, ast.ImportFrom)) or binds_torch(each)]
    text = CHOSEN_DEVICE.format(name)
    if not any(binds_torch(each) for each in imports):
        text = "import torch\n\n" + text
    before = imports[-1:] or (body[:1] if ast.get_docstring(source.tree) is not None else [])
    if before:
        line, place, text = before[0].lineno, source.span(before[0])[1], "\n\n" + text
    else:
        line = min(node.lineno for node in ast.walk(body[0]) if hasattr(node, "lineno"))  # a decorator's, if any
        place, text = source.starts[line - 1], text + "\n\n"
    edits.replace((place, place), text, line, say("CUDA, else an NPU, else the CPU"))


def edit_test_file(source: Source) -> tuple:
    """(text, edits) of a test file that was written for an NPU: it now chooses its device when it runs."""
    edits = Edits(source)
    name = "DEVICE"
    taken = {node.id for node in ast.walk(source.tree) if isinstance(node, ast.Name)}
    while name in taken:
        name = "TEST_" + name
    make_optional_imports(edits)
    optional = len(edits.made)
    for node in ast.walk(source.tree):
        why = say("the device is chosen when the file runs")
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
    if len(edits.made) > optional:
        choose_device(edits, name)
    return edits.result()
