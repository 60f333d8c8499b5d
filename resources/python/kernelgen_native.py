# SPDX-License-Identifier: Apache-2.0
"""Finds the functions of a file of C++ or CUDA that a candidate could be called by; compiles nothing."""
import re

ENDINGS = (".cpp", ".cc", ".cxx", ".cu")
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
BOUND = re.compile(r"\bPYBIND11_MODULE\s*\(")
DEFINED = re.compile(r"\.\s*def\s*\(\s*\"(\w+)\"")
REGISTERED = re.compile(r"\bTORCH_LIBRARY(?:_FRAGMENT)?\s*\(\s*(\w+)")
SCHEMA = re.compile(r"\.\s*def\s*\(\s*\"(\w+)\s*(?:\(|\")")
PLAIN = re.compile(r"\bint\s+(\w+)\s*\(\s*void\s*\*\s*\*")
RESULT = r"(?:(?:torch|at)::Tensor|std::(?:vector|tuple)\s*<[^;{}()]*(?:torch|at)::Tensor[^;{}()]*>)"
RETURNS = re.compile(r"^[ \t]*(?:static\s+|inline\s+)*" + RESULT + r"\s+(\w+)\s*\([^;{}]*\)\s*\{", re.MULTILINE)
CHANGES = re.compile(r"^[ \t]*void\s+(\w+)\s*\(\s*(?:const\s+)?(?:torch|at)::Tensor\b[^;{}]*\)\s*\{", re.MULTILINE)


def is_native(file: str) -> bool:
    return file.endswith(ENDINGS)


def without_comments(text: str) -> str:
    """Comments become blanks; texts, which name what is bound, stay."""
    return COMMENT_OR_TEXT.sub(lambda found: found.group() if found.group()[0] == '"' else " ", text)


def entries_of(text: str) -> dict:
    """The functions by name, with the interface that each has: those that the file binds itself, else those that can be
    bound."""
    text = without_comments(text)
    registered = REGISTERED.search(text)
    if BOUND.search(text) and DEFINED.search(text):
        return {name: "torch" for name in DEFINED.findall(text)}
    if registered:
        return {f"{registered.group(1)}::{name}": "torch" for name in SCHEMA.findall(text)}
    found = {name: "torch" for name in RETURNS.findall(text) + CHANGES.findall(text)}
    return found | {name: "plain" for name in PLAIN.findall(text)}
