# SPDX-License-Identifier: Apache-2.0
"""Answers what a Triton file asks of a GPU where there is none (docs/IMPORT.md): tensors for a GPU are made on the CPU,
`torch.cuda` guards do nothing, `triton.autotune` takes its first configuration, and libdevice computes in the
interpreter."""
import contextlib
import functools
import importlib.util
import re
import types

import numpy
import torch
from torch.overrides import TorchFunctionMode

IS_CUDA = torch.Tensor.is_cuda.__get__
NOTHING = ("synchronize", "set_device", "empty_cache", "manual_seed", "manual_seed_all", "init",
           "reset_peak_memory_stats")
GUARDS = ("device", "_DeviceGuard", "device_of", "stream")
IDLE = ("Event", "Stream", "current_stream", "default_stream")
ANSWERS = {"is_available": True, "device_count": 1, "current_device": 0, "get_device_name": "CPU",
           "get_device_capability": (9, 0), "max_memory_allocated": 0, "memory_allocated": 0,
           "get_device_properties": types.SimpleNamespace(
               name="CPU", major=9, minor=0, multi_processor_count=1, total_memory=1 << 32, warp_size=32,
               max_threads_per_multi_processor=2048, regs_per_multiprocessor=1 << 16,
               shared_memory_per_block_optin=1 << 17)}
OTHER_NAMES = {"pow": "power", "powi": "power", "llrint": "rint", "llround": "round", "fabs": "abs",
               "finite": "isfinite", "fast_tanh": "tanh", "fast_exp": "exp", "fast_log": "log"}


def on_cpu(value):
    """A device of CUDA, or its name, as the CPU; all else as it is."""
    if isinstance(value, torch.device):
        return torch.device("cpu") if value.type == "cuda" else value
    return "cpu" if isinstance(value, str) and value.split(":")[0] == "cuda" else value


class OnCpu(TorchFunctionMode):
    """Calls of PyTorch that name a GPU are made for the CPU."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if function == IS_CUDA:
            return True
        if function is torch.Tensor.cuda:
            return args[0].clone()
        return function(*map(on_cpu, args), **{name: on_cpu(value) for name, value in (kwargs or {}).items()})


class Idle:
    """An event or a stream of a GPU: all has happened, and took a millisecond."""

    cuda_stream = 0

    def __init__(self, *_, **__):
        pass

    def __enter__(self) -> "Idle":
        return self

    def __exit__(self, *_) -> None:
        pass

    def record(self, *_) -> None:
        pass

    record_event = wait = wait_event = wait_stream = synchronize = record

    def query(self) -> bool:
        return True

    def elapsed_time(self, _) -> float:
        return 1.0  # ms: tests divide by it


class FirstConfiguration:
    """What `triton.autotune` makes of a kernel: it times nothing, and takes the first configuration that `prune` leaves."""

    def __init__(self, kernel, configs: list, prune, keys: list):
        self.fn, self.configs, self.prune, self.keys = kernel, configs, prune, keys
        self.config = configs[0] if configs else None
        self.best_config = self.config
        self.arg_names = getattr(kernel, "arg_names", [])

    @property
    def __name__(self):
        return self.fn.__name__

    def run(self, *args, grid, **kwargs):
        config = self.config_for(args, kwargs)
        chosen = {} if config is None else config.kwargs
        if config is not None and config.pre_hook is not None:
            config.pre_hook({**dict(zip(self.arg_names, args)), **kwargs, **chosen})
        options = {} if config is None else {"num_warps": config.num_warps, "num_stages": config.num_stages}
        return self.fn.run(*args, grid=grid, **{**options, **kwargs, **chosen})

    def config_for(self, args: tuple, kwargs: dict):
        left = self.prune(self.configs, dict(zip(self.arg_names, args)), **kwargs) if self.prune and self.configs else None
        self.best_config = next(iter(left), self.config) if left else self.config
        return self.best_config

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.run(*args, grid=grid, **{"warmup": False, **kwargs})

    def __call__(self, *args, **kwargs):
        return self.fn(*args, **kwargs)


def first_configuration(configs, key=None, prune_configs_by=None, *_, **__):
    prune = (prune_configs_by or {}).get("early_config_prune")
    return lambda kernel: FirstConfiguration(kernel, configs, prune, list(key or []))


def of_libdevice(symbol: str):
    """NumPy's or PyTorch's function for one of libdevice, such as `__nv_tanhf`; None where there is none."""
    name = symbol.removeprefix("__nv_")
    names = [OTHER_NAMES.get(each, each) for each in (name, name.removesuffix("f"), name.removesuffix("d"))]
    found = [getattr(numpy, each) for each in names if hasattr(numpy, each)]
    found += [on_arrays(getattr(torch, each)) for each in names if hasattr(torch, each)]
    return found[0] if found else None


def on_arrays(function):
    return lambda *values: function(*[torch.from_numpy(numpy.asarray(each)) for each in values]).numpy()


def compute_libdevice(builder, library, path, symbol, arguments, kind, is_pure):
    """`create_extern_elementwise` of the interpreter's builder."""
    from triton.runtime import interpreter

    function = of_libdevice(symbol)
    if function is None:
        raise NotImplementedError(f"`{symbol}` of libdevice is not known on a CPU")
    element = getattr(kind, "scalar", kind)
    made = numpy.asarray(function(*[each.data for each in arguments]))
    return interpreter.TensorHandle(made.astype(interpreter._get_np_dtype(element)), element)


def bind_libdevice(builder) -> None:
    """Its functions, which a compiler would look up and give a builder, under both of their names."""
    from triton.language.extra import libdevice
    from triton.language.extra.cuda import libdevice as of_cuda

    for name, function in list(vars(of_cuda).items()):
        if name in vars(libdevice) and getattr(function, "__module__", "") == of_cuda.__name__:
            bound = functools.partial(function, _builder=builder)
            setattr(of_cuda, name, bound)
            setattr(libdevice, name, bound)


def accept_as_a_gpu(executor_class) -> None:
    """The interpreter's launch takes what Triton's compiler takes: a grid that is a list or a number, and annotations
    that are strings, such as "tl.constexpr"."""
    original = executor_class.__init__

    def made(self, fn, arg_names, grid):
        def called(args):
            found = grid(args) if callable(grid) else grid
            return tuple(found) if isinstance(found, (list, tuple)) else (found,)

        original(self, fn, arg_names, called)
        self.constexprs += [name for name, told in fn.__annotations__.items() if "constexpr" in str(told)]

    executor_class.__init__ = made


def answer_for_triton() -> None:
    import triton
    from triton.runtime import interpreter

    triton.autotune = triton.runtime.autotune = triton.runtime.autotuner.autotune = first_configuration
    interpreter.InterpreterBuilder.create_extern_elementwise = compute_libdevice
    interpreter.InterpreterBuilder.get_int1_ty = lambda builder: triton.language.int1
    if hasattr(torch.library, "wrap_triton"):
        torch.library.wrap_triton = lambda kernel: kernel  # it wants a compiled kernel, for PyTorch's compiler
    bind_libdevice(interpreter.interpreter_builder)
    accept_as_a_gpu(interpreter.GridExecutor)


def triton_driver():
    from triton.runtime.driver import driver

    return driver


def on_cpu_without_gpu():
    """A context in which calls of PyTorch that name a GPU are made for the CPU, if there is none."""
    return contextlib.nullcontext() if torch.cuda.is_available() else OnCpu()


def empty_strided(size: tuple, stride: tuple, dtype: torch.dtype) -> torch.Tensor:
    return torch.empty_strided(size, stride, dtype=dtype)


def answer_for_cuda() -> None:
    for name in NOTHING:
        setattr(torch.cuda, name, lambda *args, **kwargs: None)
    for name in GUARDS:
        setattr(torch.cuda, name, lambda *args, **kwargs: contextlib.nullcontext())
    for name in IDLE:
        setattr(torch.cuda, name, Idle)
    torch._C._cuda_getCurrentRawStream = lambda *args: 0
    torch._C._dynamo.guards._empty_strided_cuda = empty_strided
    for name, value in ANSWERS.items():
        setattr(torch.cuda, name, lambda *args, value=value, **kwargs: value)


class NoDriver:
    """Answers for `triton.runtime.driver.active`, which files ask when they are imported."""

    utils = types.SimpleNamespace(get_device_properties=lambda device: {
        "max_shared_mem": 1 << 17, "multiprocessor_count": 1, "max_num_regs": 1 << 16, "warpSize": 32})

    def get_current_target(self):
        from triton.backends.compiler import GPUTarget

        return GPUTarget("cuda", 90, 32)

    def get_current_device(self) -> int:
        return 0

    def get_active_torch_device(self) -> torch.device:
        return torch.device("cpu")

    def get_current_stream(self, device=None) -> int:
        return 0

    def get_device_interface(self):
        return torch.cuda

    def get_benchmarker(self):
        """What a class made of `triton.runtime.Autotuner` times its configurations with: all of them take as long, and
        the first one is chosen."""
        return lambda kernel_call, quantiles=None, **_: [0.0] * len(quantiles or [0.5])

    def get_device_capability(self, device=0) -> tuple:
        return ANSWERS["get_device_capability"]


@functools.cache
def answer() -> None:
    """From now on, in this process and thread. Triton must be there."""
    answer_for_triton()
    triton_driver().set_active(NoDriver())
    answer_for_cuda()
    OnCpu().__enter__()


def is_wanted(text: str) -> bool:
    """Whether a file's text imports Triton, which is there: also as `import torch, triton`, or behind a semicolon."""
    imports = re.search(r"^[^#\n]*\b(from\s+triton\b|import\b[^#\n]*\btriton\b)", text, re.MULTILINE)
    return imports is not None and importlib.util.find_spec("triton") is not None
