"""What memlint does with private names of torch while it follows tensors; a simulation has more of them.

Which names that are, and what is lost without each, is in `torch_names`.
"""

from __future__ import annotations

import functools
import gc
import inspect
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import torch

from memlint.runtime.child.torch_names import find, or_else


def _nothing() -> Any:
    return None


def _zero() -> int:
    return 0


# --- following tensors ------------------------------------------------------------------------------------

if TYPE_CHECKING:
    from torch.utils._python_dispatch import TorchDispatchMode as TorchDispatchMode
else:
    TorchDispatchMode = or_else("torch.utils._python_dispatch.TorchDispatchMode", object)

storage_key: Callable[[Any], int] = attrgetter("_cdata")
"""The address of a storage's C++ object."""


def _mistakes_deaths() -> bool:
    told: list[Any] = []
    tensor = torch.empty(1)
    storage = tensor.untyped_storage()
    watching = weakref.ref(storage, told.append)
    cycle: list[Any] = [storage]
    cycle.append(cycle)
    del storage, cycle
    gc.collect(0)
    return bool(told) and watching() is None


MISTAKEN_DEATHS = _mistakes_deaths()
"""Whether weak references to a storage die with garbage that refers to it, though a tensor still holds it."""

current_node: Callable[[], Any] = or_else("torch._C._current_autograd_node", _nothing)
"""The autograd node that is running in this thread, or None outside backward."""

next_sequence_number: Callable[[], int] = or_else("torch.autograd._get_sequence_nr", _zero)
"""The number that the next autograd node of this thread will get (0 where torch does not say)."""


_NUMBERED = find("torch._C._functions.AccumulateGrad._sequence_nr") is not None


def sequence_number(node: Any) -> int:
    """The number of an autograd node; -1 where torch does not say."""
    return int(node._sequence_nr()) if _NUMBERED else -1


_DESCRIBED = find("torch.ops.aten.add.Tensor._schema") is not None


def schema(operator: Any) -> Any:
    """The signature of an operator, None where torch does not say."""
    return operator._schema if _DESCRIBED else None


_HIGHER_ORDER: Any = find("torch._ops.HigherOrderOperator")
_EXPLICIT: Any = find("torch._C.DispatchKey.CompositeExplicitAutograd")
_TAKE_MODES = frozenset(
    "flex_attention flex_attention_backward while_loop while_loop_stack_output map_impl "
    "associative_scan".split()
)
_CALL_FUNCTIONS = ("cond", "scan")


def is_higher_order(operator: Any) -> bool:
    """Whether an operator is given functions, as `flex_attention`, `cond` and `while_loop` are."""
    return _HIGHER_ORDER is not None and isinstance(operator, _HIGHER_ORDER)


def plain_kernel(operator: Any) -> tuple[Callable[..., Any], bool]:
    """What a higher-order operator does below autograd, and whether it may do so under a mode.

    Kernels of others raise there: see `cond_op_dense` in torch/_higher_order_ops/cond.py of torch 2.13.
    """
    found = getattr(operator, "py_kernels", {}).get(_EXPLICIT)
    return found or operator, found is not None and operator.name() in _TAKE_MODES


def calls_functions(operator: Any) -> bool:
    """Whether a higher-order operator calls the functions that it is given as they are."""
    return operator.name() in _CALL_FUNCTIONS


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


_HOOKED = [False]


def note_saved_hooks() -> None:
    """Remember from now on whether the script has what graphs save made again by hooks.

    Asked of such a saved tensor, torch before 2.10 would call the hook: it says neither that there is one,
    nor what is there without it.
    """
    pushes = find("torch._C._autograd._push_saved_tensors_default_hooks")
    if SHOWS_SAVED or pushes is None:
        return

    def push(*args: Any, **kwargs: Any) -> Any:
        _HOOKED[0] = True
        return pushes(*args, **kwargs)

    torch._C._autograd._push_saved_tensors_default_hooks = push


SHOWS_SAVED = find("torch._C._autograd.SavedTensor.data") is not None
"""Whether this torch shows what a graph has saved without unpacking it."""

_SAVED = "_raw_saved_" if SHOWS_SAVED else "_saved_"


def saved_in(node: Any) -> Iterator[torch.Tensor]:
    """The tensors that a node of a graph has saved; none that is freed, or that a hook would make again."""
    if not SHOWS_SAVED and _HOOKED[0]:
        return
    kind: Any = type(node)
    for name in _saved_names(kind):
        try:
            value = getattr(node, name)
        except (AttributeError, RuntimeError):  # freed, or changed in place since
            continue
        for saved in value if isinstance(value, (tuple, list)) else [value]:
            tensor = _data(saved) if SHOWS_SAVED else saved
            if isinstance(tensor, torch.Tensor):
                yield tensor


@functools.cache
def _saved_names(kind: Any) -> list[str]:
    return [name for name in dir(kind) if name.startswith(_SAVED)]


def _data(saved: Any) -> Any:
    try:
        return saved.data if saved is not None and saved.unpack_hook is None else None
    except (AttributeError, RuntimeError):
        return None


def saved_other(node: Any) -> Any:
    """The second factor that a product's autograd node saved, or None."""
    return getattr(node, "_saved_other", None)


def number_in(tensor: Any) -> float:
    """The number in a tensor of one element; a mode would be given that of a wrapped number as no tensor."""
    with unwatched():
        return float(tensor.item())


def saved_reduction(node: Any) -> int:
    """How the node of a loss sums the items' losses, by torch's number; -1 where it is none."""
    return int(getattr(node, "_saved_reduction", -1))


def shape_of(node: Any) -> tuple[int, ...] | None:
    """The shape of what an autograd node made; None where torch does not say."""
    made = getattr(node, "_input_metadata", ())
    return tuple(made[0].shape) if made else None


plainly: Callable[[], AbstractContextManager[None]] = or_else(
    "torch._C.DisableTorchFunctionSubclass", nullcontext
)
"""Attributes of tensors are read as those of a plain one, whatever their class makes of it."""


make_wrapper: Callable[..., Any] | None = or_else("torch.Tensor._make_wrapper_subclass", None)
"""Makes a tensor of a subclass that has a shape, and no memory of its own; None where torch cannot."""


class _PassingOn(TorchDispatchMode):
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


class _Subclass(torch.Tensor):
    pass


def allow_subclasses() -> None:
    """Let tensors become those of a subclass while a mode is active, where this torch refuses that.

    Torch 2.4 shows the mode the tensor that is to be of the class, and then that it has been seen is an
    error. It shares the storage of the one before, so there is nothing to see.
    """
    real: Any = torch.Tensor.as_subclass
    tensor = torch.empty(0)
    try:
        with _PassingOn():
            real(tensor, _Subclass)
    except RuntimeError:
        unseen = or_else("torch._C._DisableTorchDispatch", nullcontext)

        def as_subclass(tensor: Any, cls: Any) -> Any:
            with unseen():
                return real(tensor, cls)

        setattr(torch.Tensor, "as_subclass", as_subclass)  # noqa: B010 - mypy takes methods for fixed


COMPILER = "torch._dynamo"
"""What the first optimizer imports (torch/_compile.py): it takes as long as importing torch."""

BATCH_NORMS: Any = find("torch.nn.modules.batchnorm._BatchNorm")
"""The base class of the layers that normalise over the batch."""

is_transformed: Callable[[torch.Tensor], bool] = or_else(
    "torch._C._functorch.is_functorch_wrapped_tensor", lambda tensor: False
)
"""Whether a tensor only stands for others within torch.func (vmap, grad): it has no numbers of its own."""

_mode: Callable[[Any], Any] = or_else("torch._C._get_dispatch_mode", lambda key: None)
_PROXY_KEY = find("torch._C._TorchDispatchModeKey.PROXY")


def is_in_mode(key: Any) -> bool:
    """Whether one of torch's own modes is active, by its key; False where this torch has none of that key."""
    return key is not None and _mode(key) is not None


def is_traced() -> bool:
    """Whether torch notes each operation to do it again later (`make_fx`): one of ours would be noted too."""
    return is_in_mode(_PROXY_KEY)


_hidden: Callable[[], AbstractContextManager[Any]] = or_else(
    "torch.utils._python_dispatch._disable_current_modes",
    or_else("torch._C._DisableTorchDispatch", nullcontext),
)


@contextmanager
def unwatched() -> Iterator[None]:
    """Nothing that follows tensors sees what is done to them here, autograd included."""
    with _hidden(), torch.no_grad():
        yield


_pop: Callable[[], Any] = or_else("torch.utils._python_dispatch._pop_mode", _nothing)
_push: Callable[[Any], Any] = or_else("torch.utils._python_dispatch._push_mode", lambda mode: None)
_innermost: Callable[[], Any] = or_else("torch.utils._python_dispatch._get_current_dispatch_mode", _nothing)

PUSHES_MODES = all(
    find(f"torch.utils._python_dispatch.{name}") is not None
    for name in ("_pop_mode", "_push_mode", "_get_current_dispatch_mode")
)
"""Whether this torch lets a mode be taken away from what runs already."""


def take_away(mode: Any) -> bool:
    """Let what follows in this thread run without a mode; False where another one is active as well.

    Within a node of backward, the engine itself puts modes back where the node fails.
    """
    if _innermost() is not mode:
        return False
    _pop()
    if _innermost() is None:
        return True
    _push(mode)
    return False


def give_back(mode: Any) -> None:
    """Let a mode that was taken away be active again."""
    _push(mode)


_OUT_OF_MEMORY = getattr(torch, "OutOfMemoryError", torch.cuda.OutOfMemoryError)


def text_of(error: BaseException) -> str:
    """What an exception says; "" where that cannot be printed."""
    try:
        return str(error)
    except BaseException:  # also where a class of the script's leaves the process there
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


_STEP: Callable[..., Any] = or_else("torch.optim.Optimizer.profile_hook_step", _nothing)

STEP_CODE = next((code for code in _STEP.__code__.co_consts if inspect.iscode(code)), None)
"""The code of what torch puts around the step() of every optimizer, None where it does so no more."""

_CALL: Callable[..., Any] = or_else("torch.nn.Module._call_impl", _nothing)

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


def eager(model: Any = None, *settings: Any) -> Any:
    """What torch.compile gives, with nothing compiled; for a torch without a stance.

    Under a mode such a torch compiles every call again, and fails where it has done so eight times.
    """
    return torch.compiler.disable(model) if model is not None else torch.compiler.disable


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
        if isinstance(inner, torch.Tensor):  # a DTensor names its mesh of devices too
            found += inner_tensors(inner) or [inner]
    return found


# --- torch's own records ----------------------------------------------------------------------------------

OPERATORS_FILE: str = or_else("torch._ops.__file__", "")
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
