"""Operations that fake tensors cannot answer by themselves: their outputs depend on values.

Each handler takes the probe's workbench, the operation and its arguments, and gives fake outputs of the
largest size that is possible; every such size is counted as invented.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from memlint.runtime.child.private import changes, inner_tensors, schema, written
from memlint.runtime.simulate.private import FakeTensor, FakeTensorMode, operator, operators, tree_map
from memlint.runtime.simulate.sparse import parts as sparse
from memlint.runtime.simulate.values import Values, forget

GEMMS = operators(
    "mm.default addmm.default bmm.default baddbmm.default addbmm.default mv.default addmv.default "
    "dot.default vdot.default _addmm_activation.default mm.out addmm.out bmm.out baddbmm.out "
    "_euclidean_dist.default".split()
)
"""Operations for which torch fetches a cuBLAS handle, and with it a workspace."""

_FUSED = operators("addmm.default _addmm_activation.default addmm.out".split())
_FUSED_TYPES = (torch.float64, torch.float32, torch.float16, torch.bfloat16)

_INDEX = operator("index.Tensor")
_PRODUCTS = operators(["mm.default", "_sparse_sparse_matmul.default"])

STAND_IN = 1 << 24
"""Elements up to which a kernel may be tried on the CPU to learn the shape of its output."""

CUDA = torch.device("cuda")


def adds_bias(func: Any, args: Any, kwargs: Any) -> bool:
    """Whether a product of matrices is one that torch has cuBLASLt make, with a bias for each column.

    As isInputCompliesAddmmCudaLt in ATen/native/cuda/Blas.cpp.
    """
    if func not in _FUSED or kwargs.get("beta", 1) != 1:
        return False
    bias, one, other = args[:3]
    out = kwargs.get("out")
    return bool(
        bias.dim() == 1
        and bias.size(0) == other.size(1)
        and bias.is_contiguous()
        and one.dtype in _FUSED_TYPES
        and min(*one.shape, *other.shape) > 1
        and (out is None or out.is_contiguous())
    )


class UnsimulatedError(RuntimeError):
    """An operation whose outputs nothing here can tell."""


def empty(
    fake: FakeTensorMode, shape: Any, dtype: torch.dtype, stride: Any = None, device: torch.device = CUDA
) -> Any:
    """A fake tensor on the simulated GPU."""
    with fake:
        if stride is None:
            return torch.empty(shape, dtype=dtype, device=device)
        return torch.empty_strided(shape, stride, dtype=dtype, device=device)


def _nonzero(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    values.count(f"number of elements found by nonzero() taken as {values.selected_in_words}")
    return empty(fake, (values.some_of(args[0].numel()), args[0].dim()), torch.int64)


def _masked_select(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    shape = torch.broadcast_shapes(args[0].shape, args[1].shape)
    return empty(fake, (_selected(values, args[1], shape),), args[0].dtype)


def _selected(values: Values, mask: Any, shape: torch.Size) -> int:
    """How many elements a mask selects that is spread over a shape; an assumption where it is not known."""
    known = values.known(mask) if isinstance(mask, FakeTensor) else mask
    if known is not None:
        return int(known.expand(shape).count_nonzero())
    values.count(f"number of elements selected by a mask taken as {values.selected_in_words}")
    return values.some_of(shape.numel())


def _index(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    places: list[Any] = []
    for index in args[1]:
        if index is None or index.dtype not in (torch.bool, torch.uint8):
            places.append(index)
            continue
        count = _selected(values, index, index.shape)
        places += [empty(fake, (count,), torch.int64) for _ in range(index.dim())]
    with fake:
        return func(args[0], places)


def _equal(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    one, other = args
    if one.dtype is other.dtype is torch.bool and one.dim() == other.dim() == 0:
        # So ATen asks whether a condition holds (is_scalar_tensor_true).
        return values.scalar(one) == values.scalar(other)
    values.count("torch.equal() taken as true")
    return one.shape == other.shape


def _allclose(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    values.count("torch.allclose() taken as true")
    return True


def _gru(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    hidden = args[2]
    with fake:
        workspace = torch.empty((hidden.size(0), hidden.size(1) * 5), dtype=hidden.dtype, device=CUDA)
        return torch.empty_like(hidden), workspace


def _gru_backward(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    gradient, has_bias = args[0], args[2]
    batch, width = gradient.shape
    with fake:
        gates = [torch.empty((batch, 3 * width), dtype=gradient.dtype, device=CUDA) for _ in range(2)]
        biases = [
            torch.empty((3 * width,), dtype=gradient.dtype, device=CUDA) if has_bias else None
            for _ in range(2)
        ]
        return (*gates, torch.empty_like(gradient), *biases)


def _pack(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    """The lengths lie in host memory: how many elements there are is known."""
    data, lengths, batch_first = args
    steps = data.size(1 if batch_first else 0)
    counts = (lengths.unsqueeze(0) > torch.arange(steps).unsqueeze(1)).sum(1)
    counts = counts[counts > 0]
    return empty(fake, (int(counts.sum()), *data.shape[2:]), data.dtype), counts


def _own_ctc(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> bool:
    """Of the CTC losses only torch's own has shapes that are known; cuDNN takes targets in host memory."""
    _, targets, *_ = args
    if "cudnn" in str(func) and targets.dtype == torch.int32 and targets.device.type == "cpu":
        values.count("CTC loss of cuDNN taken as torch's own")
    return False


def _ctc(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    """Losses [batch] and log_alpha [batch, steps, 2 * longest target + 1] (ctc_loss_gpu in ATen)."""
    data, _, _, lengths, *_ = args
    steps, batch = data.shape[:2]
    states = 2 * max(lengths, default=0) + 1
    return empty(fake, (batch,), data.dtype), empty(fake, (batch, steps, states), data.dtype)


def _ctc_backward(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    return empty(fake, args[1].shape, args[1].dtype)


def _dense(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    """Fake tensors of torch before 2.5 ask the CPU for this, which has it for sparse tensors only."""
    return empty(fake, args[0].shape, kwargs.get("dtype") or args[0].dtype)


def _sparse_product(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    """What `torch.sparse.mm` computes is as large as what it is added to; the CPU would make it dense."""
    if all(each.layout in sparse.COMPRESSED for each in args[:3]):
        return sparse.product(fake, values.count, *args[1:3])
    return empty(fake, args[0].shape, args[0].dtype)


def _zeros_without_storage(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    """Derivatives of forward mode that are zero: fakes of what has no storage lose their device."""
    return empty(fake, (1,), kwargs.get("dtype") or torch.get_default_dtype()).expand(args[0])


def _coalesce(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    """As many elements as before, which is the most: which of them have one place is not known."""
    return _placed_as(fake, args[0], args[0].dtype)


def _sparse_mask(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    """The elements of a dense tensor at the places of a sparse one."""
    return _placed_as(fake, args[1], args[0].dtype)


def copies_sparse(func: Any, args: Any) -> bool:
    """Whether an operation gives a sparse tensor again, or its multiple: fakes would lose its elements."""
    if not isinstance(args[0], torch.Tensor) or args[0].layout is not torch.sparse_coo:
        return False
    return func in _COPIES or (func in _SCALES and _is_number(args[1]))


def adds_sparse(func: Any, args: Any) -> bool:
    """Whether an operation is the sum or difference of two sparse tensors."""
    if func not in _SUMS:
        return False
    return all(isinstance(t, torch.Tensor) and t.layout is torch.sparse_coo for t in args[:2])


def _is_number(value: Any) -> bool:
    return value.dim() == 0 if isinstance(value, torch.Tensor) else True


def copy_sparse(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    """A copy of a sparse tensor, or the same without its graph."""
    source = args[0]
    places, elements = inner_tensors(source)
    if func is not _DETACH:
        places, elements = (empty(fake, each.shape, each.dtype) for each in (places, elements))
    with fake:
        return torch.sparse_coo_tensor(places, elements, source.shape, is_coalesced=source.is_coalesced())


def add_sparse(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    """The elements of both, one behind the other, as in add_out_sparse_cuda of torch 2.13."""
    places, elements = zip(*map(inner_tensors, args[:2]), strict=True)
    with fake:
        joined = torch.cat(places, 1), torch.cat(elements)
        return torch.sparse_coo_tensor(*joined, args[0].shape, is_coalesced=False)


_DETACH = operator("detach.default")
_COPIES = frozenset((_DETACH, operator("clone.default"), operator("neg.default")))
_SCALES = operators(["mul.Tensor", "mul.Scalar", "div.Tensor", "div.Scalar"])
_SUMS = operators(["add.Tensor", "sub.Tensor"])


def _placed_as(fake: FakeTensorMode, other: Any, dtype: torch.dtype) -> Any:
    """A sparse tensor with as many places as another one."""
    places, elements = inner_tensors(other)
    places, elements = empty(fake, places.shape, places.dtype), empty(fake, elements.shape, dtype)
    with fake:
        return torch.sparse_coo_tensor(places, elements, other.shape, is_coalesced=True)


Kernel = Callable[[FakeTensorMode, Values, Any, Any, Any], Any]

_BY_NAME: dict[str, Kernel] = {
    "nonzero.default": _nonzero,
    "masked_select.default": _masked_select,
    "equal.default": _equal,
    "allclose.default": _allclose,
    "_pack_padded_sequence.default": _pack,
    "_ctc_loss.default": _ctc,
    "_ctc_loss_backward.default": _ctc_backward,
    "_use_cudnn_ctc_loss.default": _own_ctc,
    "_use_miopen_ctc_loss.default": _own_ctc,
    "_to_dense.default": _dense,
    "_sparse_addmm.default": _sparse_product,
    "_coalesce.default": _coalesce,
    "_efficientzerotensor.default": _zeros_without_storage,
    "sparse_mask.default": _sparse_mask,
    "_thnn_fused_gru_cell.default": _gru,
    "_thnn_fused_gru_cell_backward.default": _gru_backward,
}

KERNELS: dict[Any, Kernel] = {
    known: kernel for name, kernel in _BY_NAME.items() if (known := operator(name)) is not None
}
"""Operations with an answer of their own."""


def masked_index(func: Any, args: Any) -> bool:
    """Whether an operation selects by a mask."""
    return func is _INDEX and any(
        index is not None and index.dtype in (torch.bool, torch.uint8) for index in args[1]
    )


select_by_mask: Kernel = _index

BY_VALUES = frozenset((_nonzero, _masked_select, _index, _equal, _allclose, _pack))
"""Answers that the true values decide where they are known: kernels of the CPU have them, too."""


def multiplies_sparse(func: Any, args: Any) -> bool:
    """Whether an operation is the product of a sparse matrix and a dense one, or of two sparse ones."""
    if func not in _PRODUCTS or not all(isinstance(arg, FakeTensor) for arg in args):
        return False
    return args[0].layout is torch.sparse_coo and args[1].layout in (torch.strided, torch.sparse_coo)


def multiply_sparse(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    """The result of such a product, dense where one of the two is."""
    if args[1].layout is torch.sparse_coo:
        return sparse.product(fake, values.count, *args[:2])
    return empty(fake, (args[0].shape[0], args[1].shape[1]), args[1].dtype)


def on_cpu(
    fake: FakeTensorMode,
    values: Values,
    func: Any,
    args: Any,
    kwargs: Any,
    cause: Exception | None = None,
) -> Any:
    """Run the CPU kernel on known values, else on made-up data of the same shapes, for its outputs' shapes.

    Raises:
        UnsimulatedError: there is no such kernel, or the data would be too large.
    """
    if changes(func):
        values.count(f"effect of {func} left out")
        forget(written(func, args, kwargs))
        described = schema(func)
        return args[0] if described is None or described.returns else None
    known = values.known_arguments(func, args, kwargs)
    try:
        if known is None:
            made_up = tree_map(_stand_in(values, "unique" in str(func)), (args, kwargs))
            values.count(f"shape of {func} taken from made-up data")
            return tree_map(lambda value: _faked(fake, value), func(*made_up[0], **made_up[1]))
        return tree_map(lambda value: _faked(fake, value, values), func(*known[0], **known[1]))
    except Exception as error:
        if known is not None and not isinstance(error, NotImplementedError):
            raise  # What the script has given is refused for what it is.
        why = f"its shapes are not known without running it, and on the CPU: {_short(error)}"
        raise UnsimulatedError(advice(func) or f"{func} cannot be simulated: {why}") from cause


def advice(func: Any) -> str:
    """How a script's own operator gets shapes that are known without a GPU; "" for one of torch's."""
    described = schema(func)
    if described is None or func.namespace in ("aten", "prim", "prims"):
        return ""
    name = described.name
    return f"what {name} gives is not known: tell it with torch.library.register_fake({name!r})"


def _stand_in(values: Values, distinct: bool) -> Callable[[Any], Any]:
    def real(value: Any) -> Any:
        if not isinstance(value, FakeTensor):
            return values.real(value)
        known = values.known(value)
        return known if known is not None else _data(value, values.some_of(value.numel()) if distinct else 0)

    return real


def _faked(fake: FakeTensorMode, value: Any, values: Values | None = None) -> Any:
    if not isinstance(value, torch.Tensor):
        return value
    if value.layout in sparse.LAYOUTS:
        return sparse.like(fake, value, [_faked(fake, part, values) for part in inner_tensors(value)])
    out = empty(fake, value.shape, value.dtype, value.stride())
    if values is not None:
        values.keep(out, value)
    return out


def _data(fake: torch.Tensor, distinct: int) -> torch.Tensor:
    """Made-up data in host memory, of so many different values (0: it does not matter)."""
    if fake.layout in sparse.LAYOUTS:
        return sparse.on_host(fake, lambda values: _data(values, distinct), fake.dtype)
    if fake.numel() > STAND_IN:
        raise UnsimulatedError(f"{fake.numel():,} elements are too many to try it on the CPU")
    if distinct:
        return (torch.arange(fake.numel()) % distinct).to(fake.dtype).view(fake.shape)
    if fake.dtype.is_floating_point or fake.dtype.is_complex:
        return torch.rand(fake.shape, dtype=fake.dtype)
    return torch.ones(fake.shape, dtype=fake.dtype)


def _short(error: BaseException) -> str:
    first = (str(error).strip() or type(error).__name__).splitlines()[0]
    return f"{type(error).__name__}: {first[:120]}"
