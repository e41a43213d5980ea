"""What only a simulation does with private names of torch (see `torch_names` and `private` one floor up)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import torch

from memlint.runtime.child.private import is_in_mode, is_traced, schema
from memlint.runtime.child.torch_names import find, or_else


class _Absent:
    """Stands for a class that this torch does not have: nothing is one of it."""


if TYPE_CHECKING:
    from torch._subclasses.fake_tensor import FakeTensor as FakeTensor
    from torch._subclasses.fake_tensor import FakeTensorMode as FakeTensorMode
    from torch.utils._pytree import tree_iter as tree_iter
    from torch.utils._pytree import tree_map as tree_map
    from torch.utils._pytree import tree_map_only as tree_map_only
else:
    FakeTensor = or_else("torch._subclasses.fake_tensor.FakeTensor", _Absent)
    FakeTensorMode = or_else("torch._subclasses.fake_tensor.FakeTensorMode", _Absent)
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


GROUPS_SINCE = (2, 13)

BUILT_WITH_CUDA = torch.version.cuda is not None
"""Whether this torch was; scripts are told so in any case."""

_TOOLKITS = {4: "12.1", 5: "12.4", 6: "12.4", 7: "12.6", 8: "12.8", 9: "12.8", 10: "12.8"}
"""CUDA of the builds on PyPI by the minor version of torch 2; later ones have 13.0."""

_FAKE_KEY = find("torch._C._TorchDispatchModeKey.FAKE")


def asks_for_shapes() -> bool:
    """Whether operations are made for their shapes alone, outside of the probe's own ones.

    DTensor works out the shapes of results under a mode of fakes, on tensors of the size that all ranks have
    together; flex_attention has the operations on one score noted.
    """
    return is_in_mode(_FAKE_KEY) or is_traced()


def operator(name: str) -> Any:
    """An operator of aten by its name with overload; None where this torch has none: it is never called."""
    return find(f"torch.ops.aten.{name}")


def compressed(mode: FakeTensorMode, parts: Any, shape: Any, layout: torch.layout) -> Any:
    """A fake sparse tensor of a compressed layout, which consists of these fakes.

    As torch's own answers for fakes do: with tensors that have no data, which its kernel takes.
    """
    as_kernels_do: Any = find("torch._subclasses.fake_tensor.in_kernel_invocation_manager")
    make: Any = operator("_sparse_compressed_tensor_unsafe.default")
    with as_kernels_do(mode):
        made = make(*parts, list(shape), dtype=parts[-1].dtype, layout=layout, device="meta")
    return FakeTensor(mode, made, torch.device("cuda"))


ASKED_DEVICE: Any = find("torch.ops.prim.device.default")
"""What code in C++ asks a tensor that stands for another (a fake, a DTensor) for its device with."""


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


ONE_KERNEL = ("silu_backward", "mish_backward", "_fused_rms_norm")
"""Operators that native_functions.yaml of torch 2.13 gives both a kernel for CUDA and one made of others."""

_libraries: list[Any] = []


def keep_whole(names: Iterable[str] = ONE_KERNEL) -> None:
    """Have operators that are one kernel on CUDA seen as one, where torch was built without CUDA.

    With an entry for CUDA the dispatcher no longer takes the one made of others for autograd. The entry is
    never called: tensors on the simulated GPU are fakes.
    """
    for name in names:
        found = operator(f"{name}.default")
        if found is not None and not found.has_kernel_for_dispatch_key(torch._C.DispatchKey.CUDA):
            _libraries.append(torch.library.Library("aten", "IMPL"))
            _libraries[-1].impl(name, _never, "CUDA")


def read_by(scalar: Callable[[Any], Any]) -> None:
    """Have `scalar` say which number a tensor on CUDA holds, where torch's C++ asks below all modes.

    So do the constructors of tensors, for the elements of a list.
    """
    _libraries.append(torch.library.Library("aten", "IMPL"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a build with CUDA has a kernel of its own
        _libraries[-1].impl("_local_scalar_dense", scalar, "CUDA")


def _never(*args: Any, **kwargs: Any) -> Any:
    raise AssertionError("no kernel runs on a simulated GPU")


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


def slots_of(kind: type[Any]) -> list[str]:
    """The names of the slots that objects of a class have."""
    import copyreg

    names: Callable[[type[Any]], list[str]] = vars(copyreg)["_slotnames"]
    return names(kind)


def replace_attention(function: Callable[..., Any]) -> None:
    """Have torch.nn.functional and modules call this for scaled_dot_product_attention."""
    torch.nn.functional.scaled_dot_product_attention = function
    torch._C._nn.scaled_dot_product_attention = function


def attention_order() -> tuple[int, ...]:
    """Kernels of attention in the order in which torch asks whether they can, as sdpa_kernel sets it."""
    order = getattr(torch._C, "_get_sdp_priority_order", None)
    return tuple(order()) if order is not None else (FLASH, EFFICIENT, PLAIN, CUDNN)


PLAIN, FLASH, EFFICIENT, CUDNN = 0, 1, 2, 3
"""Kernels of attention, by their numbers in torch.nn.attention.SDPBackend."""


def replace_recurrent(name: str, wrap: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Have recurrent modules call another function than torch's `name` ("lstm"), made of that one."""
    setattr(torch._VF, name, wrap(getattr(torch._VF, name)))


def replace_flattening(function: Callable[[list[Any]], None]) -> None:
    """Have recurrent modules give `function` their weights, which they lay into one buffer on a GPU."""

    def flatten(layer: Any) -> None:
        weights = list(layer._flat_weights)
        if len(weights) == len(layer._flat_weights_names):
            function(weights)

    torch.nn.RNNBase.flatten_parameters = flatten  # type: ignore[method-assign, assignment]


def keep_padded(padded: Callable[[], None]) -> None:
    """Have TransformerEncoder keep the padding of fakes in evaluation; `padded` is called where it does.

    Nested tensors, which would have none, cannot be imagined.
    """
    name = "_nested_tensor_from_mask_left_aligned"
    real: Any = getattr(torch, name, None)

    def aligned(batch: Any, mask: Any) -> bool:
        if not isinstance(batch, FakeTensor):
            return bool(real(batch, mask))
        padded()
        return False

    if real is not None:
        setattr(torch, name, aligned)


def ragged_sizes() -> Any:
    """Where torch keeps the ragged size of nested tensors, by their offsets; None where that is not known."""
    absent = find(_RAGGED) is None
    return None if absent else find("torch.nested._internal.nested_tensor._tensor_symint_registry")


def ragged_size(number: int) -> Any:
    """What stands for the ragged size of the nested tensors with the offsets of this number."""
    node: Any = find(_RAGGED)
    return torch.SymInt(node(number, 1))


_RAGGED = "torch.nested._internal.nested_int.NestedIntNode"


def replace_ragged_attention(flash: Callable[[Any], bool], efficient: Callable[[Any], bool]) -> None:
    """Have attention of nested tensors on the simulated GPU ask these two for its kernel."""
    module: Any = find("torch.nested._internal.sdpa")
    for name, takes in (("can_use_flash_attention", flash), ("can_use_efficient_attention", efficient)):
        real = getattr(module, name, None)
        if real is not None:
            setattr(module, name, _on_gpu(takes, real))


def _on_gpu(takes: Callable[[Any], bool], real: Callable[..., Any]) -> Callable[..., Any]:
    def chosen(params: Any, debug: bool = False) -> Any:
        return takes(params) if params.query.device.type == "cuda" else real(params, debug)

    return chosen


def replace_ragged_calls(around: Callable[[Any], Any]) -> None:
    """Have functions that are given nested tensors of the jagged layout go through what `around` makes."""
    kind: Any = find("torch.nested._internal.nested_tensor.NestedTensor")
    kind.__torch_function__ = staticmethod(around(kind.__torch_function__))


def replace_flex_attention(attention: Callable[..., Any]) -> Any:
    """Have flex_attention compute by this in place of its operator, which is given back."""
    module: Any = find("torch.nn.attention.flex_attention")
    real = getattr(module, "flex_attention_hop", None)
    if real is not None:
        module.flex_attention_hop = attention
    return real


def replace_make_subclass(around: Callable[[Any], Any]) -> None:
    """Have constructors of tensors of other classes call what `around` makes of torch's own function."""
    real = find("torch.Tensor._make_subclass")
    if real is not None:
        tensor: Any = torch.Tensor
        tensor._make_subclass = staticmethod(around(real))


_LIFT = find("torch._C._set_only_lift_cpu_tensors")


def lift_on_cpu(wanted: bool) -> None:
    """Have torch.tensor(..., device="cuda") made in host memory and copied, where a mode sees it.

    Torch keeps this for each thread (kOnlyLiftCPUTensors in torch/csrc/utils/tensor_new.cpp).
    """
    if _LIFT is not None:
        _LIFT(wanted)


def note_own_backwards(before: Callable[[], object]) -> None:
    """Call `before` ahead of each backward of a `torch.autograd.Function`, in the thread where it runs."""
    node: Any = torch.autograd.function.BackwardCFunction
    real = node.apply

    @wraps(real)
    def apply(self: Any, *args: Any) -> Any:
        before()
        return real(self, *args)

    node.apply = apply


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
    # Packages with kernels of their own (bitsandbytes) take its address when they are imported.
    torch._C._cuda_getCurrentRawStream = lambda device: 0
    torch._C._host_emptyCache = nothing
    torch.cuda._lazy_init = nothing
    torch.cuda._sleep = nothing
    # A build with CUDA wants a context of the driver for the first fake tensor.
    fakes = find("torch._subclasses.fake_tensor")
    for name in ("init_cuda_context", "init_gpu_context"):
        if hasattr(fakes, name):
            setattr(fakes, name, nothing)


def say_built_with_cuda() -> None:
    """Have scripts told that this torch was built with CUDA, cuDNN and NCCL, as the one on PyPI was."""
    if torch.version.cuda is None:
        minor = int(torch.__version__.split(".")[1])
        torch.version.cuda = _TOOLKITS.get(minor, "13.0")
    torch.backends.cuda.is_built = lambda: True
    torch.backends.cudnn.is_available = lambda: True
    if torch.backends.cudnn.version() is None:
        torch.backends.cudnn.version = lambda: 91900
    torch.cuda.nccl.version = lambda: (2, 28, 9)
    torch._C._nccl_version = lambda: 2 << 32 | 28 << 16 | 9
    torch._C._nccl_version_suffix = lambda: b""


def keep_description() -> None:
    """Keep what `torch.__config__.show()` gives: it asks the CUDA hooks, which are replaced after that."""
    text = torch._C._show_config()
    torch._C._show_config = lambda: text


def fake_store() -> Callable[[], Any] | None:
    """What makes the store of a group in which nothing is exchanged; None where no group can be imagined.

    Builds with CUDA ask the driver for the times of DistributedDataParallel, and torch before 2.13 takes fake
    parameters for lazy ones there.
    """
    version = tuple(int(part) for part in torch.__version__.split(".")[:2])
    if BUILT_WITH_CUDA or version < GROUPS_SINCE or not torch.distributed.is_available():
        return None
    with suppress(ImportError):
        found: Callable[[], Any] | None = find("torch.testing._internal.distributed.fake_pg.FakeStore")
        return found
    return None


def replace_replication(hook: Callable[[Any, Any], Any]) -> None:
    """Let every DistributedDataParallel hand its buckets to `hook`, without a look at real bytes."""
    module = find("torch.nn.parallel.distributed")
    kind: Any = module.DistributedDataParallel
    real, register = kind.__init__, kind.register_comm_hook

    @wraps(real)
    def made(model: Any, *args: Any, **kwargs: Any) -> None:
        real(model, *args, **kwargs)
        state = model._memlint_hook = _Hook()
        register(model, state, hook)
        model.logger = _Silent()

    kind.__init__ = made
    kind.register_comm_hook = _take_hook
    module._verify_param_shape_across_processes = lambda *args, **kwargs: None


class _Hook:
    """The communication hook that the script has registered with a model, None where it has none."""

    def __init__(self) -> None:
        self.state: Any = None
        self.hook: Any = None


def _take_hook(model: Any, state: object, hook: Any) -> None:
    model._memlint_hook.state, model._memlint_hook.hook = state, hook


def replace_in_distributed(name: str, function: Callable[..., Any]) -> None:
    """Have a function of torch.distributed replaced wherever torch has imported it."""
    modules = ("distributed", "distributed.distributed_c10d", "distributed.device_mesh")
    for module in filter(None, (find(f"torch.{path}") for path in modules)):
        if hasattr(module, name):
            setattr(module, name, function)


def replace_group_helper(joined: Callable[[int], None]) -> None:
    """Have every process group made as one of fakes, whatever its backend.

    `joined` is told the sizes of those that this rank is in.
    """
    module: Any = find("torch.distributed.distributed_c10d")
    real = module._new_process_group_helper

    @wraps(real)
    def helper(size: int, rank: int, ranks: Any, backend: Any, store: Any, *args: Any, **kwargs: Any) -> Any:
        if not ranks or module._world.default_pg is None or module.get_rank() in ranks:
            joined(size)
        kwargs["backend_options"] = None
        return real(size, rank, ranks, module.Backend("fake"), store, *args, **kwargs)

    module._new_process_group_helper = helper


def replace_stages(exchange: Any) -> None:
    """Have stages of a pipeline told the shapes that other stages would send them.

    `exchange` has those of earlier ones. What a later one sends back are the gradients of this stage's
    outputs, and they have the shapes of these.
    """
    stage: Any = find("torch.distributed.pipelining.stage.PipelineStage")
    gradients = find("torch.distributed.pipelining.stage._StageBackwardMeta")
    modes: Any = find("torch.distributed.pipelining.stage.InferenceMode")
    if stage is None or gradients is None or modes is None:
        return

    def receive(self: Any, other: int) -> Any:
        if other > self.stage_index:
            rows = self._stage_meta.outputs
            return gradients(
                backward_metas=tuple(
                    replace(row, requires_grad=False) if row.requires_grad else None for row in rows
                )
            )
        known, meta = exchange.get(f"stage-{other}")
        if not known:
            raise RuntimeError(f"the shapes that stage {other} sends are not known")
        return meta

    def send(self: Any, meta: Any, other: int) -> None:
        if other > self.stage_index:
            exchange.put(f"stage-{self.stage_index}", meta)

    def vote(self: Any, has_backward: bool, received_acc: Any = None) -> Any:
        # Stages agree: what is given for one of them is given for all.
        self._memlint_vote = torch.tensor([not modes.needs_dynamic(self._user_meta, has_backward)])
        return self._memlint_vote

    stage._recv_meta, stage._send_meta = receive, send
    stage._warmup_forward_vote = vote
    stage._warmup_backward_result = lambda self, received_result=None: self._memlint_vote


class _Silent:
    """Stands for the logger in C++, which asks the driver for times."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *args, **kwargs: None


def note_resizes(resized: Callable[[Any], None]) -> None:
    """Have `resized` told each storage that has got another size: no operation returns it."""
    kind: Any = torch.UntypedStorage
    real = kind.resize_

    @wraps(real)
    def resize(storage: Any, size: int) -> Any:
        out = real(storage, size)
        resized(storage)
        return out

    kind.resize_ = resize


def replace_history(skipped: Callable[[str], Callable[..., None]]) -> None:
    """Replace the functions that record CUDA's allocator, by what `skipped` makes of their names."""
    for name in ("_record_memory_history", "_dump_snapshot"):
        if hasattr(torch.cuda.memory, name):
            setattr(torch.cuda.memory, name, skipped(name))


def reset_peaks() -> None:
    """Forget the peaks of CUDA's allocator, as torch.cuda.reset_peak_memory_stats does."""
    torch._C._cuda_resetPeakMemoryStats(0)
