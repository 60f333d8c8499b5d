# SPDX-License-Identifier: Apache-2.0
"""Which literals of a Python file are tunables, and the values that they may have (docs/IMPORT.md)."""
import ast
import re

from kernelgen_sources import (
    LAUNCH_OPTIONS,
    Source,
    bound_names,
    find_entry,
    is_integer,
    is_kernel,
    launches_of,
    literal_integers,
    names_in,
    ruled_literals,
    sites_of,
    top_level_functions,
)

# Usual names of tile sizes and loop options: BLOCK_M, block_size, BM, GROUP_SIZE_M, SPLIT_K, UNROLL.
TILE_WORDS = re.compile(
    r"BLOCK|BLK|TILE|CHUNK|SPLIT|UNROLL|WARPS|STAGES|(^|_)(GROUP|VEC)(_|$)|^B[A-Z0-9]?$", re.IGNORECASE
)


def allowed_values(name: str, value: int) -> list:
    """Powers of two around the value; for the launch's options the values that Triton accepts."""
    if name == "num_warps":
        values = {1, 2, 4, 8, 16, 32}
    elif name == "num_stages":
        values = {1, 2, 3, 4, 5, 6}
    elif name == "num_ctas":
        values = {1, 2, 4}
    elif value > 0 and value & (value - 1) == 0:
        values = {value << shift for shift in range(4)} | {value >> shift for shift in range(4) if value >> shift}
    else:
        values = {value}
    return sorted(values | {value})


def names_of_launches(launches: list) -> set:
    """The names that launches, or their grids, use."""
    used = set()
    for launch in launches:
        used |= {each.arg for each in launch.keywords if each.arg is not None}
        for each in [*launch.args, *[keyword.value for keyword in launch.keywords], launch.func.slice]:
            used |= names_in(each)
    return used


def literals_of(source: Source, function: ast.AST, used: set) -> tuple:
    """(the sites of tunables by name, the sites of other literals): those of the wrapper `function` that are `used`."""
    found, others = {}, []
    ruled = ruled_literals(function, bound_names(list(ast.walk(function))))  # the file's own choice by sizes stays its own
    for site in sites_of(source, function):
        if site.name not in used or site.name in found or site.name in ruled:
            continue
        if site.name in LAUNCH_OPTIONS or TILE_WORDS.search(site.name):
            found[site.name] = site
        else:
            others.append(site)
    return found, others


def told_of(found: dict) -> list:
    """As the importer takes them."""
    return [{"name": name, "value": site.value, "values": allowed_values(name, site.value)}
            for name, site in found.items()]


def tunables_in(text: str, entry: str) -> list:
    """Those of a solution. Its entry may leave the launch to other functions, which use literals of the top level."""
    source = Source(text)
    function = find_entry(source, entry)
    if is_kernel(function):
        return []
    inside = names_of_launches(launches_of(function))
    found, _ = literals_of(source, function, inside | names_of_launches(launches_of(source.tree)))
    own = range(function.lineno, function.end_lineno + 1)
    return told_of({name: site for name, site in found.items() if name in inside or site.line not in own})


def literals_out_of_reach(text: str) -> list:
    """Of a file whose entry is a class: the names of literals that a launch uses, in source order."""
    source = Source(text)
    launches = launches_of(source.tree)
    used = names_of_launches(launches)
    pairs = [(name, literal.lineno) for node in ast.walk(source.tree) for name, literal in literal_integers(node)]
    pairs += [(each.arg, each.value.lineno) for launch in launches for each in launch.keywords
              if each.arg is not None and is_integer(each.value)]
    names = [name for name, _ in sorted(pairs, key=lambda pair: pair[1])]
    return [name for name in dict.fromkeys(names)
            if name in used and (name in LAUNCH_OPTIONS or TILE_WORDS.search(name))]


def autotuned(source: Source) -> list:
    """The kernels that choose their own configurations."""
    return [kernel for kernel in filter(is_kernel, top_level_functions(source))
            if any("autotune" in source.segment(each) for each in kernel.decorator_list)]
