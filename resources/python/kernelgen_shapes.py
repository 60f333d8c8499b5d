# SPDX-License-Identifier: Apache-2.0
"""Follows the statements of a Python file over shapes and dtypes alone.

Only numbers, tuples, dtypes and the shapes of tensors are followed, by the rules below; nothing of the file, of PyTorch
or of Triton is executed. What is not known is `UNKNOWN`, and whatever follows from it is, too.
"""

import ast
import itertools
import math
import operator
from typing import NamedTuple, Optional

from kernelgen_sources import Source
from kernelgen_values import DTYPES, UNKNOWN, DType, Size, Tensor, as_shape, broadcast, is_number

CREATORS = ("randn", "rand", "ones", "zeros", "empty", "normal")
REDUCTIONS = ("sum", "mean", "amax", "amin", "prod", "var", "std")
STEP_LIMIT = 200_000
ELEMENT_LIMIT = 10_000
DEPTH_LIMIT = 20

NUMBERS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv, ast.Mod: operator.mod, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.Pow: operator.pow,
}  # fmt: skip
COMPARISONS = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip


class Function(NamedTuple):
    node: ast.FunctionDef


class Called(NamedTuple):
    """One call of the operator."""

    line: int
    arguments: list
    keywords: dict


class Returned(Exception):
    def __init__(self, value: object):
        super().__init__()
        self.value = value


class LoopLeft(Exception):
    """Ends a loop (`break`) or one pass of it (`continue`)."""

    def __init__(self, for_good: bool):
        super().__init__()
        self.for_good = for_good


class TooLong(Exception):
    """The file's loops have more steps than are followed."""


class Follower:
    """Follows a file. `names` are what the operator's function is called in it."""

    def __init__(self, source: Source, names: set):
        self.source = source
        self.names = names
        self.globals = {}
        self.calls = []
        self.tolerances = []  # (line, rtol, atol)
        self.notes = []  # (line, what was left out)
        self.preferred = {}  # origin -> the name that a size was given
        self.steps = 0
        self.depth = 0

    # Statements

    def run_module(self, as_program: bool):
        self.globals["__name__"] = "__main__" if as_program else "module"
        self.run(self.source.tree.body, self.globals)

    def run_function(self, function: ast.FunctionDef, arguments: dict) -> object:
        if self.depth >= DEPTH_LIMIT:
            return UNKNOWN
        self.depth += 1
        try:
            self.run(function.body, dict(arguments))
        except Returned as returned:
            return returned.value
        finally:
            self.depth -= 1
        return None

    def run(self, statements: list, names: dict):
        for statement in statements:
            self.steps += 1
            if self.steps > STEP_LIMIT:
                raise TooLong()
            self.run_one(statement, names)

    def run_one(self, node: ast.stmt, names: dict):
        if isinstance(node, ast.Assign):
            value = self.value(node.value, names)
            for target in node.targets:
                self.bind(target, value, names)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self.bind(node.target, self.value(node.value, names), names)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            names[node.target.id] = self.binary(
                node.op, self.look_up(node.target.id, names), self.value(node.value, names)
            )
        elif isinstance(node, (ast.Expr, ast.Assert)):
            self.value(node.value if isinstance(node, ast.Expr) else node.test, names)
        elif isinstance(node, ast.Return):
            raise Returned(None if node.value is None else self.value(node.value, names))
        elif isinstance(node, (ast.Break, ast.Continue)):
            raise LoopLeft(isinstance(node, ast.Break))
        elif isinstance(node, ast.For):
            self.loop(node, names)
        elif isinstance(node, ast.If):
            test = self.value(node.test, names)
            leaves = isinstance(node.body[-1], (ast.Raise, ast.Return, ast.Continue, ast.Break))
            taken = not leaves if test is UNKNOWN else test  # what leaves on a condition is for other machines
            self.run(node.body if taken else node.orelse, names)
        elif isinstance(node, ast.While):
            self.loop(node, names)
        elif isinstance(node, (ast.With, ast.Try)):
            self.run(node.body, names)
        elif isinstance(node, ast.FunctionDef):
            names[node.name] = Function(node)

    def loop(self, node: ast.stmt, names: dict):
        """Follows a `for` over its known items, and a `while` once."""
        for item in self.items(self.value(node.iter, names)) if isinstance(node, ast.For) else [None]:
            if isinstance(node, ast.For):
                self.bind(node.target, item, names)
            try:
                self.run(node.body, names)
            except LoopLeft as left:
                if left.for_good:
                    return

    def bind(self, target: ast.expr, value: object, names: dict):
        if isinstance(target, ast.Name):
            names[target.id] = self.with_origin(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            known = isinstance(value, (tuple, list)) and len(value) == len(target.elts)
            for position, each in enumerate(target.elts):
                self.bind(each, value[position] if known else UNKNOWN, names)

    def with_origin(self, name: str, value: object) -> object:
        """A named size is the same size wherever it is used; of a tuple, sizes are counted from its end."""
        if type(value) is int:
            self.preferred[name] = name
            return Size(value, name)
        if isinstance(value, Size):
            self.preferred[value.origin] = name
            return value
        if isinstance(value, tuple) and value and all(type(each) is int for each in value):
            return tuple(Size(each, (name, place - len(value))) for place, each in enumerate(value))
        return value

    def items(self, value: object) -> list:
        if isinstance(value, dict):
            value = list(value)
        return list(itertools.islice(value, ELEMENT_LIMIT)) if isinstance(value, (tuple, list, range)) else []

    # Expressions

    def look_up(self, name: str, names: dict) -> object:
        return names.get(name, self.globals.get(name, UNKNOWN))

    def value(self, node: ast.expr, names: dict) -> object:
        self.steps += 1
        if self.steps > STEP_LIMIT:
            raise TooLong()
        method = getattr(self, "value_of_" + type(node).__name__, None)
        return method(node, names) if method is not None else UNKNOWN

    def value_of_Constant(self, node, names):
        return node.value

    def value_of_Name(self, node, names):
        return self.look_up(node.id, names)

    def value_of_Tuple(self, node, names):
        values = []
        for each in node.elts:
            if isinstance(each, ast.Starred):
                values += self.items(self.value(each.value, names))
            else:
                values.append(self.value(each, names))
        return tuple(values)

    def value_of_List(self, node, names):
        return list(self.value_of_Tuple(node, names))

    def value_of_Dict(self, node, names):
        keys = [UNKNOWN if key is None else self.value(key, names) for key in node.keys]
        if not all(isinstance(key, (str, int, DType)) for key in keys):
            return UNKNOWN
        return {key: self.value(value, names) for key, value in zip(keys, node.values)}

    def value_of_UnaryOp(self, node, names):
        value = self.value(node.operand, names)
        if isinstance(node.op, ast.USub) and is_number(value):
            return -value
        if isinstance(node.op, ast.Not) and value is not UNKNOWN:
            return not value
        return value if isinstance(value, Tensor) else UNKNOWN

    def value_of_BinOp(self, node, names):
        return self.binary(node.op, self.value(node.left, names), self.value(node.right, names))

    def binary(self, op: ast.operator, left: object, right: object) -> object:
        if isinstance(left, Tensor) or isinstance(right, Tensor):
            return self.tensor_binary(op, left, right)
        if isinstance(op, ast.Add) and isinstance(left, (tuple, list)) and type(left) is type(right):
            return left + right
        if isinstance(op, ast.Mult) and isinstance(left, (tuple, list)) and isinstance(right, int):
            return left * right if 0 <= right * len(left) <= ELEMENT_LIMIT else UNKNOWN
        rule = NUMBERS.get(type(op))
        if rule is None or not is_number(left) or not is_number(right):
            return UNKNOWN
        if isinstance(op, (ast.Pow, ast.LShift)) and not 0 <= right <= 62:
            return UNKNOWN
        try:
            result = rule(left, right)
        except (ZeroDivisionError, OverflowError, TypeError, ValueError):
            return UNKNOWN
        return result if isinstance(result, float) or abs(result) < 2**63 else UNKNOWN

    def tensor_binary(self, op, left, right):
        if isinstance(op, ast.MatMult):
            both = (
                isinstance(left, Tensor) and isinstance(right, Tensor) and len(left.shape) > 1 and len(right.shape) > 1
            )
            return Tensor(left.shape[:-1] + right.shape[-1:], left.dtype) if both else UNKNOWN
        if not isinstance(left, Tensor) or not isinstance(right, Tensor):
            return left if isinstance(left, Tensor) else right
        return Tensor(broadcast(left.shape, right.shape), left.dtype)

    def value_of_Compare(self, node, names):
        values = [self.value(each, names) for each in [node.left, *node.comparators]]
        rule = COMPARISONS.get(type(node.ops[0]))
        plain = all(
            isinstance(each, (int, float, str, tuple, DType)) and not isinstance(each, Tensor) for each in values
        )
        if rule is None or len(values) != 2 or not plain:
            return UNKNOWN
        try:
            return bool(rule(*values))
        except TypeError:
            return UNKNOWN

    def value_of_BoolOp(self, node, names):
        values = [self.value(each, names) for each in node.values]
        if any(each is UNKNOWN for each in values):
            return UNKNOWN
        return all(values) if isinstance(node.op, ast.And) else any(values)

    def value_of_IfExp(self, node, names):
        test = self.value(node.test, names)
        return self.value(node.body if test is UNKNOWN or test else node.orelse, names)

    def value_of_ListComp(self, node, names):
        results = []

        def walk(position: int, scope: dict):
            if position == len(node.generators):
                results.append(self.value(node.elt, scope))
                return
            generator = node.generators[position]
            for item in self.items(self.value(generator.iter, scope)):
                inner = dict(scope)
                self.bind(generator.target, item, inner)
                if all(self.value(test, inner) is not False for test in generator.ifs):
                    walk(position + 1, inner)

        walk(0, dict(names))
        return results

    value_of_GeneratorExp = value_of_ListComp

    def value_of_Subscript(self, node, names):
        value = self.value(node.value, names)
        if isinstance(node.slice, ast.Slice):
            parts = [
                None if each is None else self.value(each, names)
                for each in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            if (
                isinstance(value, (tuple, list))
                and all(each is None or isinstance(each, int) for each in parts)
                and parts[2] != 0
            ):
                return value[slice(*parts)]
            return UNKNOWN
        return self.item(value, self.value(node.slice, names))

    def item(self, value: object, place: object) -> object:
        try:
            return value[place] if isinstance(value, (tuple, list, dict)) and not isinstance(value, Tensor) else UNKNOWN
        except (IndexError, KeyError, TypeError):
            return UNKNOWN

    def value_of_Attribute(self, node, names):
        value = self.value(node.value, names)
        if isinstance(value, Tensor):
            if node.attr == "shape":
                return value.shape
            if node.attr == "dtype":
                return DType(value.dtype)
            if node.attr == "ndim":
                return len(value.shape)
            if node.attr == "T":
                return Tensor(value.shape[::-1], value.dtype)
            return UNKNOWN
        if isinstance(node.value, ast.Name) and node.value.id == "torch" and node.attr in DTYPES:
            return DType(DTYPES[node.attr])
        return UNKNOWN

    # Calls

    def value_of_Call(self, node, names):
        arguments = list(self.value_of_Tuple(ast.Tuple(elts=node.args), names))
        keywords = {each.arg: self.value(each.value, names) for each in node.keywords if each.arg is not None}
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in self.names:
            self.calls.append(Called(node.lineno, arguments, keywords))
            return next((each for each in arguments if isinstance(each, Tensor)), UNKNOWN)
        if name in ("allclose", "assert_close", "isclose", "assert_allclose"):
            found = [keywords.get(key) if is_number(keywords.get(key)) else None for key in ("rtol", "atol")]
            self.tolerances.append((node.lineno, *found))
            return UNKNOWN
        if isinstance(node.func, ast.Attribute):
            owner = self.value(node.func.value, names)
            if isinstance(owner, Tensor):
                return self.method(owner, name, arguments, keywords)
            return self.library_call(name, arguments, keywords)
        called = self.look_up(name, names)
        if isinstance(called, Function):
            bound = self.bound(called.node, arguments, keywords)
            return UNKNOWN if bound is None else self.run_function(called.node, bound)
        return self.builtin(name, arguments)

    def bound(self, function: ast.FunctionDef, arguments: list, keywords: dict) -> Optional[dict]:
        """Parameters with their values, from a call or from their defaults."""
        parameters = function.args.posonlyargs + function.args.args
        values = {}
        defaults = dict(
            zip(
                [each.arg for each in parameters[len(parameters) - len(function.args.defaults) :]],
                function.args.defaults,
            )
        )
        defaults.update(
            {each.arg: value for each, value in zip(function.args.kwonlyargs, function.args.kw_defaults) if value}
        )
        given = dict(zip([each.arg for each in parameters], arguments))
        for each in parameters + function.args.kwonlyargs:
            if each.arg in given or each.arg in keywords:
                values[each.arg] = self.with_origin(each.arg, given.get(each.arg, keywords.get(each.arg)))
            else:
                values[each.arg] = self.value(defaults[each.arg], self.globals) if each.arg in defaults else UNKNOWN
        return values

    def created(self, shape: Optional[tuple], keywords: dict, default: str = "f32") -> object:
        dtype = keywords.get("dtype")
        return UNKNOWN if shape is None else Tensor(shape, dtype.name if isinstance(dtype, DType) else default)

    def library_call(self, name, arguments, keywords):
        tensors = [each for each in arguments if isinstance(each, Tensor)]
        if name in CREATORS:
            return self.created(as_shape([keywords["size"]] if "size" in keywords else arguments), keywords)
        if name == "full":
            return self.created(as_shape(arguments[:1]), keywords)
        if name == "randint":
            shapes = [keywords["size"]] if "size" in keywords else arguments[-1:]
            return self.created(as_shape(shapes), keywords, "i64")
        if name.endswith("_like") and tensors:
            return self.created(tensors[0].shape, keywords, tensors[0].dtype)
        if name == "prod" and len(arguments) == 1 and isinstance(arguments[0], (tuple, list)):
            return math.prod(arguments[0]) if all(is_number(each) for each in arguments[0]) else UNKNOWN
        if name == "product" and all(isinstance(each, (tuple, list)) for each in arguments):
            return list(itertools.islice(itertools.product(*arguments), ELEMENT_LIMIT))
        if name in ("matmul", "mm", "bmm") and len(tensors) == 2:
            return self.binary(ast.MatMult(), *tensors)
        if name in REDUCTIONS and tensors:
            return self.method(tensors[0], name, arguments[1:], keywords)
        if name == "param":  # pytest's: a row of its own
            return arguments[0] if len(arguments) == 1 else tuple(arguments)
        if name == "Size" and len(arguments) == 1:
            return tuple(self.items(arguments[0]))
        if len(tensors) > 1 and name in ("add", "mul", "sub", "div", "maximum", "minimum", "where", "pow"):
            shape = ()
            for each in tensors:
                shape = broadcast(shape, each.shape)
            return Tensor(shape, tensors[-1].dtype)
        return tensors[0] if tensors else UNKNOWN

    def method(self, owner, name, arguments, keywords):
        if name in ("size", "dim", "numel", "element_size", "stride"):
            numbers = {"dim": len(owner.shape), "numel": math.prod(owner.shape)}
            if name == "size":
                return self.item(owner.shape, arguments[0]) if arguments else owner.shape
            return numbers.get(name, UNKNOWN)
        if name in DTYPES:
            return Tensor(owner.shape, DTYPES[name])
        if name in ("to", "type"):
            dtypes = [each for each in [*arguments, keywords.get("dtype")] if isinstance(each, DType)]
            return Tensor(owner.shape, dtypes[0].name if dtypes else owner.dtype)
        if name in ("view", "reshape", "expand"):
            wanted = self.items(arguments[0]) if arguments and isinstance(arguments[0], (tuple, list)) else arguments
            return self.reshaped(owner, as_shape([0 if each == -1 else each for each in wanted]))
        if name.startswith("new_"):
            return self.created(as_shape(arguments), keywords, owner.dtype)
        if name in ("t", "transpose"):
            return Tensor(owner.shape[::-1], owner.dtype) if len(owner.shape) == 2 else UNKNOWN
        if name in REDUCTIONS:
            return self.reduced(owner, arguments, keywords)
        if name in ("item", "is_contiguous", "data_ptr", "tolist"):
            return UNKNOWN
        others = [each.shape for each in arguments if isinstance(each, Tensor)]
        return Tensor(broadcast(owner.shape, others[0]), owner.dtype) if others else owner

    def reshaped(self, owner, shape):
        """The tensor with another shape; the size of a dimension written as -1 (here 0) follows from the others."""
        if shape is None:
            return UNKNOWN
        if 0 in shape:
            rest, total = math.prod(each for each in shape if each), math.prod(owner.shape)
            shape = tuple(each if each else total // max(rest, 1) for each in shape)
        return Tensor(shape, owner.dtype)

    def reduced(self, owner, arguments, keywords):
        axis = arguments[0] if arguments else keywords.get("dim", keywords.get("axis"))
        if not isinstance(axis, int) or not -len(owner.shape) <= axis < len(owner.shape):
            return Tensor((), owner.dtype) if axis is None else UNKNOWN
        axis %= len(owner.shape)
        middle = (1,) if keywords.get("keepdim") is True else ()
        return Tensor(owner.shape[:axis] + middle + owner.shape[axis + 1 :], owner.dtype)

    def builtin(self, name, arguments):
        first = arguments[0] if arguments else UNKNOWN
        if name == "len" and isinstance(first, (tuple, list)) and not isinstance(first, Tensor):
            return len(first)
        if (
            name == "range"
            and arguments
            and all(isinstance(each, int) for each in arguments)
            and 0 not in arguments[2:]
        ):
            return range(*arguments)
        if name in ("tuple", "list", "sorted") and isinstance(first, (tuple, list, range)):
            return tuple(self.items(first)) if name == "tuple" else self.items(first)
        if name == "enumerate":
            return list(enumerate(self.items(first)))
        if name == "zip":
            return list(zip(*[self.items(each) for each in arguments]))
        if name in ("int", "float") and is_number(first):
            return int(first) if name == "int" else float(first)
        if name in ("min", "max") and len(arguments) > 1 and all(is_number(each) for each in arguments):
            return min(arguments) if name == "min" else max(arguments)
        return next((each for each in arguments if isinstance(each, Tensor)), UNKNOWN)
