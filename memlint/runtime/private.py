"""Every private name of torch that memlint uses, in one place, each with a probe.

A torch without one of them loses what depends on it, never the run: `missing` says what in one line each.
Only where nothing could be followed at all does `lacks` give the reason why a replay cannot start.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import torch


@dataclass(frozen=True, slots=True)
class Name:
    """A private name of torch: what is lost without it, and whether a replay (or a simulation) needs it.

    `lost` is a sentence for the report's notes, "" for a name whose loss changes nothing that is reported.
    """

    path: str
    lost: str = ""
    simulated: bool = False
    needed: bool = False


FORWARD_LINES = "this torch does not tell autograd nodes apart: gradients carry no forward line"
_OUTSIDE = "this torch keeps no record of allocations that can be read: the peak is not checked by one"
_ATTENTION = "this torch has other kernels of attention: it is simulated as plain matrix products"
_FOREACH = "this torch chooses optimizers in another way: they are simulated one parameter at a time"

NAMES = (
    Name("torch.utils._python_dispatch.TorchDispatchMode", "tensors cannot be followed", needed=True),
    Name("torch.UntypedStorage._cdata", "tensors cannot be followed", needed=True),
    Name("torch._C._current_autograd_node", FORWARD_LINES),
    Name("torch.autograd._get_sequence_nr", FORWARD_LINES),
    Name("torch._C._functions.AccumulateGrad._sequence_nr", FORWARD_LINES),
    Name(
        "torch.autograd._engine_run_backward",
        "this torch has another backward entry: phases and losses of backward are not seen",
    ),
    Name("torch.ops.aten.add.Tensor._schema", "this torch does not describe its operators: replay is slower"),
    Name(
        "torch.utils._python_dispatch._disable_current_modes",
        "this torch cannot hide memlint's own checks from it: values of tensors are not looked at",
    ),
    Name("torch._C.DisableTorchFunctionSubclass"),
    Name("torch._C._functorch.is_functorch_wrapped_tensor"),
    Name("torch.Tensor._version", "this torch does not count changes in place: no window is judged by them"),
    Name("torch._C._profiler._EventType.Allocation", _OUTSIDE),
    Name("torch._ops.__file__"),
    Name("torch.Tensor._is_view", "this torch names no views: sums of gradients count as if both stayed"),
    Name("torch.nn.Module._call_impl"),
    Name("torch.optim.Optimizer.profile_hook_step"),
    # --- what only a simulation uses
    Name("torch._subclasses.fake_tensor.FakeTensor", "no tensor can be simulated", True, True),
    Name("torch._subclasses.fake_tensor.FakeTensorMode", "no tensor can be simulated", True, True),
    Name("torch._C._swap_tensor_impl", "no module can be moved to the simulated GPU", True, True),
    Name("torch.nn.Module._apply", "no module can be moved to the simulated GPU", True, True),
    Name("torch.ops.aten._to_copy.default", "no tensor can be moved to the simulated GPU", True, True),
    Name(
        "torch._C._set_only_lift_cpu_tensors",
        "this torch makes torch.tensor(..., device='cuda') in a way that is not simulated: use .to('cuda')",
        True,
    ),
    Name("torch.optim.optimizer._foreach_supported_types", _FOREACH, True),
    Name(
        "torch.utils._foreach_utils._foreach_supported_types",
        "this torch clips gradients in another way: it is simulated one parameter at a time",
        True,
    ),
    Name("torch.utils._pytree.tree_map", "no arguments can be looked through", True, True),
    Name("torch.utils._pytree.tree_iter", "no arguments can be looked through", True, True),
    Name("torch.ops.aten._scaled_dot_product_flash_attention.default", _ATTENTION, True),
    Name("torch.ops.aten._scaled_dot_product_efficient_attention.default", _ATTENTION, True),
    Name("torch.ops.aten._scaled_dot_product_attention_math.default", _ATTENTION, True),
)
"""Everything that is probed. Names that memlint only sets, or catches if they exist, are not among them."""


def find(path: str) -> Any:
    """What a dotted path of torch leads to now; None where there is no such name."""
    first, *rest = path.split(".")
    found: Any = importlib.import_module(first)
    walked = first
    for part in rest:
        walked = f"{walked}.{part}"
        try:
            found = getattr(found, part)
        except (AttributeError, RuntimeError):  # torch.ops raises the latter for unknown overloads
            try:
                found = importlib.import_module(walked)
            except ImportError:
                return None
    return found


_ABSENT = [name for name in NAMES if find(name.path) is None]


def missing(simulated: bool = False) -> list[str]:
    """What this torch lacks, in words for the report's notes."""
    found = (name for name in _ABSENT if name.simulated <= simulated and not name.needed)
    return list(dict.fromkeys(name.lost for name in found if name.lost))


def lacks(simulated: bool = False) -> str:
    """Why this torch allows no replay, or no simulation; "" where it has everything that is needed."""
    for name in _ABSENT:
        if name.needed and name.simulated <= simulated:
            return f"torch {torch.__version__} has no {name.path}: {name.lost}"
    return ""


def _or(path: str, instead: Any) -> Any:
    found = find(path)
    return instead if found is None else found


def _nothing() -> Any:
    return None


def _zero() -> int:
    return 0


# --- following tensors ------------------------------------------------------------------------------------

if TYPE_CHECKING:
    from torch.utils._python_dispatch import TorchDispatchMode as TorchDispatchMode
else:
    TorchDispatchMode = _or("torch.utils._python_dispatch.TorchDispatchMode", object)

storage_key: Callable[[Any], int] = attrgetter("_cdata")
"""The address of a storage's C++ object."""

current_node: Callable[[], Any] = _or("torch._C._current_autograd_node", _nothing)
"""The autograd node that is running in this thread, or None outside backward."""

next_sequence_number: Callable[[], int] = _or("torch.autograd._get_sequence_nr", _zero)
"""The number that the next autograd node of this thread will get (0 where torch does not say)."""


_NUMBERED = find("torch._C._functions.AccumulateGrad._sequence_nr") is not None


def sequence_number(node: Any) -> int:
    """The number of an autograd node; -1 where torch does not say."""
    return int(node._sequence_nr()) if _NUMBERED else -1


_DESCRIBED = find("torch.ops.aten.add.Tensor._schema") is not None


def schema(operator: Any) -> Any:
    """The signature of an operator, None where torch does not say."""
    return operator._schema if _DESCRIBED else None


def changes(operator: Any) -> bool:
    """Whether an operator writes into one of its arguments; True where torch does not say."""
    return bool(operator._schema.is_mutable) if _DESCRIBED else True


def written(operator: Any, args: Any, kwargs: Any) -> list[Any]:
    """The arguments that an operator writes into; all, where torch does not say."""
    if not _DESCRIBED:
        return [*args, *kwargs.values()]
    found = []
    for number, argument in enumerate(operator._schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            found.append(args[number] if number < len(args) else kwargs.get(argument.name))
    return found


COUNTS_VERSIONS = find("torch.Tensor._version") is not None
"""Whether this torch counts how often tensors are changed in place."""


def version(tensor: Any) -> int:
    """How often a tensor, or a view of it, was changed in place; -1 where torch does not count."""
    return int(tensor._version) if COUNTS_VERSIONS else -1


def is_view(tensor: torch.Tensor) -> bool:
    """Whether a tensor shares the storage of another one; said of all where torch does not say."""
    known = getattr(tensor, "_is_view", None)
    return known is None or bool(known())


def saved_other(node: Any) -> Any:
    """The second factor that a product's autograd node saved, or None."""
    return getattr(node, "_saved_other", None)


plainly: Callable[[], AbstractContextManager[None]] = _or(
    "torch._C.DisableTorchFunctionSubclass", nullcontext
)
"""Attributes of tensors are read as those of a plain one, whatever their class makes of it."""

is_transformed: Callable[[torch.Tensor], bool] = _or(
    "torch._C._functorch.is_functorch_wrapped_tensor", lambda tensor: False
)
"""Whether a tensor only stands for others within torch.func (vmap, grad): it has no numbers of its own."""

_hidden: Callable[[], AbstractContextManager[Any]] = _or(
    "torch.utils._python_dispatch._disable_current_modes",
    _or("torch._C._DisableTorchDispatch", nullcontext),
)


@contextmanager
def unwatched() -> Iterator[None]:
    """Nothing that follows tensors sees what is done to them here, autograd included."""
    with _hidden(), torch.no_grad():
        yield


_OUT_OF_MEMORY = getattr(torch, "OutOfMemoryError", torch.cuda.OutOfMemoryError)


def text_of(error: BaseException) -> str:
    """What an exception says; "" where that cannot be printed."""
    try:
        return str(error)
    except Exception:
        return ""


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an exception says that there is not enough memory, on a device or on the host."""
    text = text_of(error)
    told = "can't allocate memory" in text or "CUDA error: out of memory" in text
    return isinstance(error, (MemoryError, _OUT_OF_MEMORY)) or told


def wrap_backward(wrapper: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Put `wrapper` around the one function through which every backward call enters the engine."""
    engine = find("torch.autograd._engine_run_backward")
    if engine is not None:
        setattr(torch.autograd, "_engine_run_backward", wrapper(engine))  # noqa: B010 - mypy's stubs lack it


_STEP: Callable[..., Any] = _or("torch.optim.Optimizer.profile_hook_step", _nothing)

STEP_CODE = next((code for code in _STEP.__code__.co_consts if inspect.iscode(code)), None)
"""The code of what torch puts around the step() of every optimizer, None where it does so no more."""

_CALL: Callable[..., Any] = _or("torch.nn.Module._call_impl", _nothing)

CALL_CODE = _CALL.__code__
"""The code through which every call of a module goes; that of something else where it has moved."""


def tensors_of(module: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """A module's own parameters and its own buffers, by name, without what its class makes of attributes."""
    found = vars(module)
    return found.get("_parameters") or {}, found.get("_buffers") or {}


def has_state(module: Any) -> bool:
    """Whether a module has parameters, buffers or modules of its own."""
    return any(vars(module).get(name) for name in ("_parameters", "_buffers", "_modules"))


HAS_STANCE = hasattr(torch.compiler, "set_stance")
"""Whether torch.compile can be told to compile nothing (torch 2.6 and later)."""


def compile_nothing() -> None:
    """Let compiled functions run as eager code from now on, where this torch can be told so."""
    if HAS_STANCE:
        torch.compiler.set_stance("force_eager")


def unshield(mode: type[Any]) -> None:
    """Take away the three calls that torch puts around each operation of a mode.

    They keep torch.compile from compiling anything under it, which is not needed once `compile_nothing`
    can say so.
    """
    if HAS_STANCE:
        setattr(mode, "__torch_dispatch__", inspect.unwrap(mode.__torch_dispatch__))  # noqa: B010 - for mypy


def has_parameters(module: Any) -> bool:
    """Whether a module itself, without its children, has parameters: in a dictionary that is cheap to ask."""
    return bool(getattr(module, "_parameters", True))


_PARTS = {
    torch.sparse_coo: ("_indices", "_values"),
    torch.sparse_csr: ("crow_indices", "col_indices", "values"),
    torch.sparse_bsr: ("crow_indices", "col_indices", "values"),
    torch.sparse_csc: ("ccol_indices", "row_indices", "values"),
    torch.sparse_bsc: ("ccol_indices", "row_indices", "values"),
}
"""The methods that give the dense tensors of which a sparse one consists."""


def inner_tensors(tensor: torch.Tensor) -> list[torch.Tensor]:
    """The plain tensors inside a sparse one or a wrapper subclass (DTensor and its kind); [] for others."""
    if tensor.layout in _PARTS:
        return [getattr(tensor, name)() for name in _PARTS[tensor.layout]]
    if type(tensor) in (torch.Tensor, torch.nn.Parameter) or not hasattr(tensor, "__tensor_flatten__"):
        return []
    names, _ = tensor.__tensor_flatten__()
    found: list[torch.Tensor] = []
    for name in names:
        inner = getattr(tensor, name)
        found += inner_tensors(inner) or [inner]
    return found


# --- torch's own records ----------------------------------------------------------------------------------

OPERATORS_FILE: str = _or("torch._ops.__file__", "")
"""The file of torch whose frames are there only because an operator was called from Python."""

PEAK_RESETS = ("_cuda_resetPeakMemoryStats", "_accelerator_resetPeakStats")
"""The functions of torch._C that forget the peaks of CUDA's allocator."""


def wrap_resets(wrapper: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Put `wrapper` around every function that forgets the allocator's peaks."""
    for name in PEAK_RESETS:
        real = getattr(torch._C, name, None)
        if real is not None:
            setattr(torch._C, name, wrapper(real))


def is_allocation(tag: Any) -> bool:
    """Whether an event of torch's profiler is an allocation."""
    kind = find("torch._C._profiler._EventType.Allocation")
    return kind is not None and tag == kind


def when_cuda_starts(action: Callable[[], None]) -> bool:
    """Have `action` called once the script initialises CUDA; False where this torch cannot."""
    later = getattr(torch.cuda, "_lazy_call", None)
    if later is not None:
        later(action)
    return later is not None


def record_history(**settings: Any) -> None:
    """Have CUDA's allocator record its events. Raises AttributeError, RuntimeError or TypeError."""
    torch.cuda.memory._record_memory_history("all", **settings)


def history() -> dict[str, Any]:
    """What it recorded. Raises AttributeError or RuntimeError."""
    return torch.cuda.memory._snapshot()  # type: ignore[no-any-return]


# --- simulation -------------------------------------------------------------------------------------------


class _Absent:
    """Stands for a class that this torch does not have: nothing is one of it."""


if TYPE_CHECKING:
    from torch._subclasses.fake_tensor import FakeTensor as FakeTensor
    from torch._subclasses.fake_tensor import FakeTensorMode as FakeTensorMode
    from torch.utils._pytree import tree_iter as tree_iter
    from torch.utils._pytree import tree_map as tree_map
    from torch.utils._pytree import tree_map_only as tree_map_only
else:
    FakeTensor = _or("torch._subclasses.fake_tensor.FakeTensor", _Absent)
    FakeTensorMode = _or("torch._subclasses.fake_tensor.FakeTensorMode", _Absent)
    tree_iter = find("torch.utils._pytree.tree_iter")
    tree_map = find("torch.utils._pytree.tree_map")
    tree_map_only = find("torch.utils._pytree.tree_map_only")

_FAKE_ERRORS = (
    "DataDependentOutputException", "DynamicOutputShapeException", "UnsupportedOperatorException",
)  # fmt: skip

NO_ANSWER: tuple[type[Exception], ...] = (
    NotImplementedError,
    *filter(None, (find(f"torch._subclasses.fake_tensor.{name}") for name in _FAKE_ERRORS)),
)
"""What fake tensors raise where they cannot tell an output."""


def operator(name: str) -> Any:
    """An operator of aten by its name with overload; None where this torch has none: it is never called."""
    return find(f"torch.ops.aten.{name}")


def operators(names: Iterable[str]) -> frozenset[Any]:
    """Those operators of aten that this torch has."""
    return frozenset(found for name in names if (found := operator(name)) is not None)


def name_of(func: Any) -> str:
    """An operator's name, without its namespace and overload; "" where torch does not say."""
    found = schema(func)
    return "" if found is None else str(found.name).partition("::")[2]


def is_composite(func: Any) -> bool:
    """Whether an operator is made of others in all its kernels."""
    implicit = find("torch._C.DispatchKey.CompositeImplicitAutograd")
    if implicit is None or func.namespace == "prim":
        return False
    return bool(func.has_kernel_for_dispatch_key(implicit))


def take_for_tensors(kind: type[Any]) -> None:
    """Let optimizers and clip_grad_norm_ treat parameters of this class as those of torch's own."""
    lists = ("torch.optim.optimizer", "torch.utils._foreach_utils")
    for module in lists:
        supported = find(f"{module}._foreach_supported_types")
        if supported is not None:
            supported.append(kind)


def apply_to(module: Any, function: Callable[[Any], Any]) -> None:
    """Module._apply, as the module's own class defines it."""
    module._apply(function)


def replace_apply(function: Callable[..., Any]) -> None:
    """Have every module moved and converted by `function` from now on."""
    torch.nn.Module._apply = function  # type: ignore[method-assign]


def swap(one: torch.Tensor, other: torch.Tensor) -> None:
    """Exchange the C++ tensors of two Python objects."""
    torch._C._swap_tensor_impl(one, other)


def replace_attention(function: Callable[..., Any]) -> None:
    """Have torch.nn.functional and modules call this for scaled_dot_product_attention."""
    torch.nn.functional.scaled_dot_product_attention = function
    torch._C._nn.scaled_dot_product_attention = function


def lift_on_cpu(wanted: bool) -> None:
    """Have torch.tensor(..., device="cuda") made in host memory and copied, where a mode sees it."""
    switch = find("torch._C._set_only_lift_cpu_tensors")
    if switch is not None:
        switch(wanted)


def answer_as_gpu(
    scatter: Callable[..., Any], reset_peaks: Callable[..., None], nothing: Callable[..., None]
) -> None:
    """Replace what asks the GPU below torch.cuda.

    `scatter` and `reset_peaks` stand for the functions of torch._C with these names, `nothing` for those
    that matter to a real GPU only.
    """
    torch._C._scatter = scatter
    torch._C._broadcast = lambda tensor, devices: [tensor for _ in devices]
    torch._C._broadcast_coalesced = lambda tensors, devices, *args: [list(tensors) for _ in devices]
    torch._C._gather = lambda tensors, dim, *args: torch.cat(list(tensors), dim)
    torch._C._get_accelerator = lambda *args: torch.device("cuda")
    torch._C._cuda_resetPeakMemoryStats = reset_peaks
    torch.cuda._lazy_init = nothing
    torch.cuda._sleep = nothing
    # A build with CUDA wants a context of the driver for the first fake tensor.
    fakes = find("torch._subclasses.fake_tensor")
    for name in ("init_cuda_context", "init_gpu_context"):
        if hasattr(fakes, name):
            setattr(fakes, name, nothing)


def replace_history(skipped: Callable[[str], Callable[..., None]]) -> None:
    """Replace the functions that record CUDA's allocator, by what `skipped` makes of their names."""
    for name in ("_record_memory_history", "_dump_snapshot"):
        if hasattr(torch.cuda.memory, name):
            setattr(torch.cuda.memory, name, skipped(name))


def reset_peaks() -> None:
    """Forget the peaks of CUDA's allocator, as torch.cuda.reset_peak_memory_stats does."""
    torch._C._cuda_resetPeakMemoryStats(0)
