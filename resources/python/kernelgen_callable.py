# SPDX-License-Identifier: Apache-2.0
"""A callable operator's parts in an executor (docs/CALLABLE.md). By its role a file is the definition, which describes
itself, makes inputs and judges, or a side: a candidate or the baseline."""
import contextlib
import ctypes
import json
import os

import torch

import kernelgen_failures as failures
import kernelgen_kernel as kernel
import kernelgen_without_gpu
from kernelgen_definition import MODULE_SEED, Definition, is_module_class, seed_all, vary
from kernelgen_describe import described
from kernelgen_extension import ExtensionFile, PlainFunction, checked_call
from kernelgen_failures import Failure
from kernelgen_float64 import InFloat64
from kernelgen_gradients import add_upstream, call_and_go_back, called_as_written, differentiable
from kernelgen_observe import Observed
from kernelgen_said import say
from kernelgen_sizes import MAKER, other_sizes, require_sizes
from kernelgen_state import ModuleState
from kernelgen_tensors import (OutputsInPlace, differs_from_reference, form_of, made_whole, put_into, require_fitting,
                               span_of)
from kernelgen_trees import as_tensor, bytes_at, bytes_in, flattened, form_text, rebuilt_arguments, view_of

WIDE = {torch.float32: torch.float64, torch.float16: torch.float64, torch.bfloat16: torch.float64,
        torch.complex64: torch.complex128}
PERTURB = -6  # M_PERTURB of mallopt
SETS = ("normal", "zeros", "ones", "tiny", "large", "wide", "negative", "nan", "infinity")  # of core/tensor/random.h


class CallableFile(kernel.OperatorFile):
    """A file whose entry may be a class, or of which several functions are called. Literals are only replaced where
    there are tunables."""

    def __init__(self, artifact: dict, folder: str):
        super().__init__(artifact, folder)
        self.definitions = {}  # by case

    def execute(self, artifact: dict) -> None:
        texts = [artifact["text"], *artifact.get("files", {}).values()]
        if os.environ["TRITON_INTERPRET"] == "1" and any(map(kernelgen_without_gpu.is_wanted, texts)):
            kernelgen_without_gpu.answer()
        super().execute(artifact)

    def text_of(self, artifact: dict) -> str:
        return super().text_of(artifact) if artifact["configuration"] else artifact["text"].removeprefix("\ufeff")

    def entry_of(self, artifact: dict):
        return super().entry_of(artifact) if artifact["entry"] else None


@contextlib.contextmanager
def fresh_memory_is(byte: int):
    """While it is entered, memory that this process allocates holds `byte` (of two bytes near 255: 254), whoever asks
    for it: PyTorch, C++ or a library. Without glibc nothing is changed."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        yield
        return
    mallopt(PERTURB, (min(byte, 254) ^ 255) & 255)
    try:
        yield
    finally:
        mallopt(PERTURB, 0)


class Bound(kernel.Kernel):
    """What the roles share: the arguments rebuilt over the executor's buffers, and the outputs' buffers."""

    def __init__(self, source: kernel.OperatorFile, device: torch.device, told: dict, judges: dict):
        super().__init__(source, device, judges)
        self.told = told
        self.signature = json.loads(told["signature"]) if told["signature"] else {}
        self.free_symbols = {}
        self.function = None
        self.parameters = {}  # of a module, by name

    def bind(self, call: dict, alone: bool) -> None:
        self.call_outputs = call["outputs"]
        self.attributes = {each["name"]: each["value"] for each in call["attributes"]}
        self.tensors = {}
        self.repetition = None
        self.returned = []
        self.launch = None

    def output_dtype(self, number: int) -> torch.dtype:
        """Of an output's buffer: in a judge's call, a wider one than the signature's."""
        output, called = self.signature["outputs"][number], self.call_outputs[number]
        dtype = getattr(torch, output["torch_dtype"])
        return dtype if called["dtype"] == output["dtype"] else WIDE[dtype]

    def tensors_at(self, addresses: tuple) -> tuple:
        """(arguments by place, arguments by name), the outputs, the storages with the leaves over them, and where the
        storages lie."""
        known = self.tensors.get(addresses)
        if known is not None:
            return known
        storages = [bytes_at(address, each["bytes"], self.device)
                    for address, each in zip(addresses, self.signature["storages"])]
        outputs = []
        for number, address in enumerate(addresses[len(storages):]):
            dtype, shape = self.output_dtype(number), self.signature["outputs"][number]["shape"]
            count = dtype.itemsize * int(torch.Size(shape).numel())
            outputs.append(bytes_at(address, count, self.device).view(dtype).view(shape))
        views = [view_of(storages[leaf[0]], leaf) for leaf in self.signature["leaves"]]
        leaves = differentiable(views, self.signature["gradients"])
        self.forms = [form_of(each) for each in outputs]
        spans = [span_of(each) for each in storages]
        changed = [(leaf, leaves[leaf].data_ptr()) for leaf in self.signature["mutated"]]
        made = rebuilt_arguments(self.signature["tree"], leaves), outputs, (storages, leaves), spans, changed
        self.tensors[addresses] = made
        return made

    def invoke(self, buffers: tuple):
        positional, keywords = buffers[0]
        return self.function(*positional, **keywords)

    def timed(self, buffers: tuple) -> list:
        returned = self.checked(self.in_order(self.results(buffers)))
        mutated = [made_whole(self.changed_in_place(buffers[2][1][leaf], leaf, at), []) for leaf, at in buffers[4]]
        return [made_whole(each, buffers[3]) for each in returned] + mutated

    def changed_in_place(self, value: torch.Tensor, leaf: int, address: int) -> torch.Tensor:
        """Refuses an argument that was given other memory in place of being changed: other views of it would not see that."""
        if value.data_ptr() != address:
            name = self.signature["storages"][self.signature["leaves"][leaf][0]]["name"]
            raise Failure("launch_failed", say("`{}` gives `{}` other memory (`set_`, `.data =`); a call changes its arguments "
                                               "where they are", self.name(), name))
        return value

    def results(self, buffers: tuple) -> tuple:
        """How the results stood in what was returned, and the results."""
        gradients, values = self.signature["gradients"], []
        if gradients is None:
            return flattened(self.invoke(buffers), values), values
        return call_and_go_back(lambda: self.invoke(buffers), gradients, self.signature["outputs"], buffers[2][1],
                                self.parameters, self.name())

    def name(self) -> str:
        return getattr(self.source.entry, "__name__", self.source.file)

    def in_order(self, returned: tuple) -> list:
        """What `results` found, in the order of the signature's outputs: what was returned, then gradients. Arguments
        that are changed are the last outputs."""
        skeleton, values = returned
        if skeleton != self.signature["result"]:
            raise Failure("launch_failed", say("`{}` returns {}; the reference returns {}", self.name(),
                                               form_text(skeleton), form_text(self.signature["result"])))
        return values

    def checked(self, values: list) -> list:
        """The results, each as a tensor that its output's buffer can take."""
        name, checked = self.name(), []
        for form, spec, value in zip(self.forms, self.signature["outputs"], values):
            value = as_tensor(value, name, self.device)
            require_fitting(value, form, name, spec["name"], differs_from_reference)
            checked.append(value)
        return checked


class Side(Bound):
    """A candidate or the baseline. A module is made from the definition's arguments and seed, and gets the parameters of
    the reference's module where their names and shapes agree."""

    def __init__(self, source, device, told, judges, definition: Definition):
        super().__init__(source, device, told, judges)
        self.module = self.state = None
        self.function = self.made(source, definition)

    def made(self, source, definition: Definition):
        if not is_module_class(source.entry):
            return torch.compile(source.entry) if source.compiles else called_as_written(source.entry, source)
        positional, keywords = definition.init_arguments()
        seed_all(MODULE_SEED)
        try:
            with kernelgen_without_gpu.on_cpu_without_gpu():
                module = source.entry(*positional, **keywords).to(self.device)
        except BaseException as error:
            raise failures.on_call(error, source.path, source.file) from None
        if is_module_class(definition.reference):
            take_parameters(module, definition.module())
            definition.forget_modules()  # this process has no further use for them
        self.module, self.parameters, self.state = module, dict(module.named_parameters()), ModuleState(module)
        return torch.compile(module) if source.compiles else module

    def invoke(self, buffers: tuple):
        """Where results depend on a module's state, each call begins with the first one, and its time has that too."""
        if self.signature["keeps_state"] and self.state:
            self.state.restore()
        return super().invoke(buffers)

    def call_judged(self, addresses: tuple) -> None:
        buffers = self.tensors_at(addresses)
        if self.state:
            self.state.restore()
        poison = int(bytes_in(buffers[1][0].untyped_storage())[0])
        in_place = OutputsInPlace(buffers[1])
        with fresh_memory_is(poison), contextlib.nullcontext() if self.source.compiles else in_place:
            results = self.timed(buffers)
        put_into(buffers[1], [value for value, _ in results])
        del results
        in_place.let_go()


class ExtensionSide(Side):
    """A candidate in C++ or CUDA. It is called with the arguments in their order, then the parameters and buffers of the
    reference's module, if it is one."""

    def made(self, source, definition: Definition):
        is_module = is_module_class(definition.reference)
        told = definition.module().state_dict() if is_module else {}
        self.parameters = {name: each.clone() for name, each in told.items()}
        for name in (self.signature["gradients"] or {}).get("parameters", []):
            self.parameters[name].requires_grad_()
        definition.forget_modules()
        values = list(self.parameters.values())
        return PlainFunction(source, self.signature, values, self.device) if source.plain else source.entry

    def invoke(self, buffers: tuple):
        if self.source.plain:
            return self.function([*buffers[2][1], *self.parameters.values()])
        positional, keywords = buffers[0]
        return checked_call(self.function, self.source.name, [*positional, *keywords.values(), *self.parameters.values()])

    def name(self) -> str:
        return self.source.name


def take_parameters(module: torch.nn.Module, reference: torch.nn.Module) -> None:
    """Where the two have other parameters, both keep those that the one seed gave them."""
    own, theirs = module.state_dict(), reference.state_dict()
    same = own.keys() == theirs.keys() and all(own[name].shape == theirs[name].shape for name in own)
    if same:
        module.load_state_dict(theirs)
    elif theirs:
        print("kernelgen: the module's parameters are not those of the reference's module by name and shape; both are "
              "what the same seed makes of them")


class Judge(Bound):
    """The reference. Where the call is wide, arguments and parameters are in float64, and where it is in float64
    throughout, also what the code asks for in a narrower dtype; it fails where a result is not. Outputs whose dtype the
    call does not widen are rounded to it."""

    def __init__(self, source, device, told, judges, definition: Definition):
        super().__init__(source, device, told, judges)
        self.definition = definition

    def call_judged(self, addresses: tuple) -> None:
        buffers = self.tensors_at(addresses)
        is_wide = self.attributes["wide"]
        buffers = self.in_wide(buffers) if is_wide else buffers
        self.definition.require(*buffers[0])
        self.function, self.parameters = self.definition.function(is_wide), self.definition.parameters(is_wide)
        self.definition.restore()
        with InFloat64() if self.in_float64 else contextlib.nullcontext(), self.doubting():
            values = self.in_order(self.results(buffers))
        values = values + [buffers[2][1][leaf] for leaf in self.signature["mutated"]]
        put_into(buffers[1], self.checked(rounded(values, buffers[1]) if is_wide else values))

    def in_wide(self, buffers: tuple) -> tuple:
        """The buffers, but arguments with each floating-point storage in float64, seen through the same views."""
        storages, leaves = buffers[2]
        wide, made = {}, []
        for leaf, view in zip(self.signature["leaves"], leaves):
            number, dtype = leaf[0], view.dtype
            if dtype not in WIDE:
                made.append(view)
                continue
            if (number, dtype) not in wide:
                memory = storages[number]
                whole = memory[: memory.numel() // dtype.itemsize * dtype.itemsize].view(dtype)
                wide[number, dtype] = whole.to(WIDE[dtype])
            made.append(torch.as_strided(wide[number, dtype], leaf[2], leaf[3], leaf[4]))
        made = differentiable(made, self.signature["gradients"])
        return rebuilt_arguments(self.signature["tree"], made), buffers[1], (storages, made)


def rounded(values: list, outputs: list) -> list:
    """Results in float64 as the outputs hold them; what is not in float64 was not computed in it."""
    made = []
    for value, output in zip(values, outputs):
        is_wide = isinstance(value, torch.Tensor) and value.dtype in (torch.float64, torch.complex128)
        narrower = is_wide and output.dtype in WIDE
        made.append(value.to(output.dtype) if narrower else value)
    return made


class InputMaker(Bound):
    """Writes the memory of the inputs of a set and seed, which are the call's attributes, into its outputs."""

    def __init__(self, source, device, told, judges, definition: Definition):
        super().__init__(source, device, told, judges)
        self.definition = definition

    def call_judged(self, addresses: tuple) -> None:
        seed = int(self.attributes["seed"])
        arguments = self.definition.arguments(seed)
        add_upstream(arguments, self.signature["outputs"], self.signature["gradients"], seed)
        form = arguments.describe()
        if form["leaves"] != self.signature["leaves"] or form["storages"] != self.signature["storages"]:
            raise Failure("unavailable", say("the inputs have other shapes, dtypes or strides than for another seed"))
        for number, (address, storage) in enumerate(zip(addresses, arguments.storages)):
            content, dtypes = bytes_in(storage["memory"]), storage["dtypes"]
            memory = bytes_at(address, content.numel(), self.device)
            memory.copy_(content)
            is_of_one_dtype = len(dtypes) == 1 and content.numel() % next(iter(dtypes)).itemsize == 0
            if content.numel() and is_of_one_dtype and number not in self.signature["linked"]:
                vary(memory.view(next(iter(dtypes))), SETS[int(self.attributes["set"])])


def file_with_sizes(file_of, told: dict, sizes: dict) -> CallableFile:
    """The definition's file. KernelBench's has its sizes as integers of the file: there the case's sizes replace them."""
    artifact = {"file": told["file"], "text": told["text"], "files": told["files"], "entry": "", "configuration": {},
                "compile": False}
    file = file_of(artifact, CallableFile)
    if not sizes or hasattr(file.module, "inputs") or not hasattr(file.module, MAKER):
        return file
    require_sizes(told["text"], told["file"], sizes)
    return file_of({**artifact, "entry": MAKER, "configuration": sizes}, CallableFile)


def definition_in(file_of, told: dict, case: dict, device: torch.device) -> Definition:
    """Made once for each case: its module takes long."""
    file, key = file_with_sizes(file_of, told, case["sizes"]), json.dumps(case)
    if key not in file.definitions:
        file.definitions[key] = Definition(file, case, device)
    return file.definitions[key]


def other_sizes_in(file_of, told: dict, case: dict, device: torch.device) -> str:
    def make(sizes: dict) -> Definition:
        return definition_in(file_of, told, {**case, "sizes": sizes}, device)

    return json.dumps(other_sizes(told["text"], make))


ROLES = {"inputs": InputMaker, "judge": Judge, "side": Side, "observe": Side}


def load(file_of, artifact: dict, told: dict, device: torch.device, judges: dict, flush=None):
    """The file in its role. `file_of` executes a file, or finds it among those that were executed; `told`: the role, the
    definition with its case, and the signature once it is known; `flush` drops memory from the caches."""
    is_extension = artifact["language"] == "extension"
    source = file_of(artifact, ExtensionFile if is_extension else CallableFile)
    case = json.loads(told["case"])
    definition = definition_in(file_of, told, case, device)
    source.modules.enter()
    if told["role"] == "describe":
        return None, {"texts": {"signature": json.dumps(described(definition))}, "kernels": [], "messages": []}
    if told["role"] == "sizes":
        return None, {"texts": {"sizes": other_sizes_in(file_of, told, case, device)}, "kernels": [], "messages": []}
    if told["role"] == "model":
        import kernelgen_model  # only where it is asked for: it takes parts of PyTorch that no other role needs

        answer = kernelgen_model.answer(definition, json.loads(told["signature"]), flush)
        return None, {"texts": {"answer": json.dumps(answer)}, "kernels": [], "messages": []}
    role = ExtensionSide if is_extension else ROLES[told["role"]]
    bound = role(source, device, told, judges, definition)
    if told["role"] == "observe":
        return None, {"texts": {}, "kernels": [], "messages": Observed(bound, definition).messages()}
    return bound, {}
