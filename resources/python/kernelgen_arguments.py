# SPDX-License-Identifier: Apache-2.0
"""How an operator's tensors and dtypes reach the parameters of its Python function."""
import inspect

BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def told_dtypes(function, outputs: list, taken: set) -> dict:
    """Keyword arguments NAME_dtype with the outputs' dtypes, for the outputs that have such a parameter."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    wanted = {each.name for each in parameters if each.kind in BY_NAME} - taken
    return {f"{each.name}_dtype": each.dtype for each in outputs if f"{each.name}_dtype" in wanted}


def names_for_tensors(function, tensors: list, numbers: set):
    """The keywords that tensors are passed as, in the order of `tensors`, or None: by position. `numbers` are the
    symbols and attributes, which are always passed by name. Where the first parameters are all for tensors, tensors go
    by position, whatever they are called. Where a number stands among them (`def f(x, eps, weight)`), tensors go by
    their names; where those are not the parameters' names, in order to the parameters that no number takes."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # nothing is known of it
        return None
    first = [each.name for each in parameters if each.kind in BY_PLACE][: len(tensors)]
    takes_any = any(each.kind == inspect.Parameter.VAR_POSITIONAL for each in parameters)
    if not numbers & set(first) and (takes_any or len(first) == len(tensors)):
        return None
    named = [each.name for each in parameters if each.kind in BY_NAME and each.name not in numbers]
    if set(tensors) <= set(named):
        return tensors
    return named[: len(tensors)] if len(named) >= len(tensors) else None
