"""What operations on sparse tensors of compressed layouts (CSR, CSC and their blocked kin) give."""

from __future__ import annotations

from typing import Any

import torch

from memlint.runtime.child.private import inner_tensors
from memlint.runtime.simulate import kernels, private
from memlint.runtime.simulate.kernels import Kernel, UnsimulatedError
from memlint.runtime.simulate.private import FakeTensor, FakeTensorMode, operator, operators
from memlint.runtime.simulate.sparse import parts as sparse
from memlint.runtime.simulate.values import Values

_PRODUCTS = operators(("mm.default", "addmm.default", "mv.default", "addmv.default"))
_ADDS = operators(("addmm.default", "addmv.default"))
_MASK = operator("sparse_mask.default")
_NO_SIZE = operator("sparse_compressed_tensor.comp_plain_value")
_TO_COO = operator("_to_sparse.default")
_SIZED = operator("sparse_compressed_tensor.comp_plain_value_size")
_IN_LINES = (torch.sparse_csr, torch.sparse_csc)
_CONVERSIONS = {
    operator("_to_sparse_csr.default"): torch.sparse_csr,
    operator("_to_sparse_csc.default"): torch.sparse_csc,
}


def kernel_of(func: Any, args: Any) -> Kernel | None:
    """What answers an operation that makes such a tensor or computes with one; None for all others."""
    if func is _SIZED or func is _NO_SIZE:
        return _make
    if func in _CONVERSIONS:
        return _convert
    if func is _TO_COO:
        return _as_coo
    kernel = multiply if func in _PRODUCTS else _BY_LAYOUT.get(func)
    if kernel is None:
        return None
    is_one = (isinstance(each, torch.Tensor) and each.layout in sparse.COMPRESSED for each in args[:3])
    return kernel if any(is_one) else None


def _make(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    if func is _NO_SIZE:
        raise UnsimulatedError(
            "a sparse tensor whose size torch is to find in its indices cannot be simulated: give its size"
        )
    parts = []
    for part in args[:3]:
        parts.append(part if isinstance(part, FakeTensor) else kernels.empty(fake, part.shape, part.dtype))
        if parts[-1] is not part:
            values.copied(parts[-1], part)
    return private.compressed(fake, parts, args[3], kwargs["layout"])


def _elements(fake: FakeTensorMode, values: Values, source: Any) -> Any:
    """Those of a tensor that is made sparse: of a dense one, which are zero is known of few."""
    if source.layout is not torch.strided:
        found = inner_tensors(source)[-1]
        return kernels.empty(fake, found.shape, found.dtype)
    known = values.known(source)
    if known is None:
        values.count(f"number of elements of a sparse tensor taken as {values.selected_in_words}")
    count = values.some_of(source.numel()) if known is None else int(known.count_nonzero())
    return kernels.empty(fake, (count,), source.dtype)


def _convert(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    source, layout = args[0], _CONVERSIONS[func]
    own = _elements(fake, values, source)
    lines = source.shape[0 if layout is torch.sparse_csr else 1]
    begins, others = (kernels.empty(fake, (size,), torch.int64) for size in (lines + 1, own.numel()))
    return private.compressed(fake, (begins, others, own), source.shape, layout)


def _as_coo(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    source = args[0]
    own = _elements(fake, values, source)
    places = kernels.empty(fake, (source.dim(), own.shape[0]), torch.int64)
    with fake:
        return torch.sparse_coo_tensor(places, own, source.shape, is_coalesced=True)


def _masked(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    """Elements of a dense tensor, or of a product of two, at the places of a sparse one, which are shared."""
    source = args[1] if func is _MASK else args[0]
    *places, elements = inner_tensors(source)
    return sparse.like(fake, source, [*places, kernels.empty(fake, elements.shape, args[0].dtype)])


def multiply(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    """The product of such a matrix and a dense one, which is dense, or of two of them."""
    one, other = args[1:3] if func in _ADDS else args[:2]
    if one.layout in _IN_LINES and other.layout in _IN_LINES:
        return sparse.product(fake, values.count, one, other)
    if one.layout is not torch.strided and other.layout is not torch.strided:
        raise UnsimulatedError("the product of two sparse matrices in blocks cannot be simulated: use CSR")
    shape = (one.shape[0], *other.shape[1:])
    return kernels.empty(fake, shape, (other if one.layout in sparse.COMPRESSED else one).dtype)


def _copy(fake: FakeTensorMode, values: Values, func: Any, args: Any, kwargs: Any) -> Any:
    """A copy in another type; torch's own answer has lost the elements."""
    *places, elements = (kernels.empty(fake, part.shape, part.dtype) for part in inner_tensors(args[0]))
    own = kernels.empty(fake, elements.shape, kwargs.get("dtype") or elements.dtype)
    return sparse.like(fake, args[0], [*places, own])


_BY_LAYOUT: dict[Any, Kernel] = {
    operator("_to_copy.default"): _copy,
    operator("zeros_like.default"): _copy,
    operator("sparse_mask.default"): _masked,
    operator("sparse_sampled_addmm.default"): _masked,
}
