"""What torch's own kernels of CUDA work in beside what they give: they free it before they return.

Sizes follow torch's source, named in each function, and came out the same on an H200 with torch 2.11
(docs/simulated-operations.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import torch

from memlint.runtime.cards import Card
from memlint.runtime.simulate.private import operator, operators
from memlint.runtime.simulate.questions import QUESTIONS

Sizes = list[int]
"""Bytes of blocks that are there at once."""

Kernel = Callable[[Card, Any, Any, Any], Sizes]
"""Gets the card, the arguments, the options and what the operation gave."""

_INDEX = 8
"""Bytes of an index."""

_TILE, _DIGITS, _BINS = 5376, 1024, 8704
"""CUB's radix sort looks up a KiB of counts for so many elements, and keeps bins beside them."""

_LARGEST = 2
"""The mode of a bag that gives the largest of its rows."""

_SHORT = 4096
"""Elements up to which torch sorts rows in place (should_use_small_sort in cuda/Sort.cpp)."""

_IN_REGISTERS = 128
"""The widest head whose outputs the memory-efficient kernel sums up in registers."""

_QUERIES, _KEYS, _AT_ONCE = 128, 64, 200
"""Its blocks for such heads in backward, and how many of them share out the keys of all heads."""

_LARGE_CTC = 450
"""The measure of a CTC loss from which on it counts as large."""

_SHARED_ROWS = ((20, 20_000), (40, 10_000), (80, 8_000), (199, 5_000), (799, 3_000), (4_000, 800))
_LEAST_SHARED = 400
"""Up to how many rows several blocks share one from which length on, and for more (should_use_multiblock)."""

_TOPK_BLOCKS, _TOPK_THREADS, _DIGIT = 6, 256, 256
"""Blocks at once on a multiprocessor (65,536 registers, 40 a thread), their threads, values of a digit."""

_SCANNED = 1536
"""Bytes in which CUB sums up what the blocks of a row have found."""

_SEGMENTS, _LONG = 128, 1_000_000
"""From how many rows on they are sorted in segments, and from which length on one by one."""


def _bytes(tensor: Any) -> int:
    return int(tensor.numel()) * int(tensor.itemsize)


def _copies(*tensors: Any) -> Sizes:
    """What kernels that want their arguments contiguous make of them."""
    return [_bytes(tensor) for tensor in tensors if not tensor.is_contiguous()]


def _radix(count: int, key: int, value: int) -> int:
    """Bytes in which CUB sorts: keys and values once more, unless one pass over the keys' bits is enough."""
    twice = 0 if key == 1 else count * (key + value)
    return twice + math.ceil(count / _TILE) * _DIGITS + _BINS


# --- sorting ------------------------------------------------------------------------------------------


def _sort(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """sort_cuda_kernel in ATen/native/cuda/Sort.cpp, launch_stable_sort_kernel in SortStable.cu."""
    x = args[0]
    named = [arg for arg in args[1:] if isinstance(arg, int) and not isinstance(arg, bool)]
    dim = int(kwargs.get("dim", named[0] if named else -1))
    if not x.dim() or x.numel() < 2:
        return []
    length, count, key = x.size(dim), x.numel(), x.itemsize
    if length <= _SHORT and not kwargs.get("stable"):
        return [length * _INDEX]
    aside = [] if x.stride(dim) == 1 else [count * key, count * (key + _INDEX)]
    rows = count // max(length, 1)
    if rows == 1 or length >= _LONG:
        return [*aside, length * _INDEX, _radix(length, key, _INDEX)]
    if rows < _SEGMENTS:
        return [*aside, count * _INDEX, count * _INDEX, count * key, _radix(count, key, _INDEX)]
    return [*aside, count * _INDEX, 0 if key == 1 else count * (key + _INDEX)]


def _median(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """The median of everything is taken from all of it, sorted."""
    x = args[0]
    count = x.numel()
    return [count * x.itemsize, count * _INDEX, count * _INDEX, _radix(count, x.itemsize, _INDEX)]


def _unique(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """Keys are sorted into a copy, which what is given replaces (cuda/Unique.cu)."""
    x = args[0]
    count, key = x.numel(), x.itemsize
    inverse = any(each is True for each in args[2:4]) or bool(kwargs.get("return_inverse"))
    return [_radix(count, key, _INDEX if inverse else 0)]


def _randperm(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """Random keys, sorted with the numbers (cuda/Randperm.cpp); as many bits as make twins unlikely."""
    given = [each for each in (out, *args) if isinstance(each, torch.Tensor)]
    count = given[0].numel()
    if count < 2:
        return []
    bits = math.ceil(math.log2(count - (6 * count * count + 1) / (math.log(0.9) * 12)))
    key = 4 if bits <= 32 else 8
    return [count * key, count * key, count * _INDEX, _radix(count, key, _INDEX)]


def _looked_up(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """Rows are selected by indices in one row (embedding_symint in Embedding.cpp)."""
    return _copies(args[1])


def _embedding(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """From 3,073 indices on they are sorted (cuda/Embedding.cu, EmbeddingBackwardKernel.cu)."""
    gradient, indices, rows = args[0], args[1], int(args[2])
    count = indices.numel()
    copies = [*_copies(indices), *_copies(gradient)]
    return copies + (_segments(count, rows, gradient.size(-1)) if count > 3072 else [])


def _bag(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """The same sums for bags, those of the largest excepted (cuda/EmbeddingBag.cu)."""
    mode, sparse = int(args[8]), bool(args[9])
    if sparse or mode == _LARGEST:
        return []
    return _segments(args[1].numel(), int(args[6]), args[0].size(-1))


def _segments(count: int, rows: int, width: int) -> Sizes:
    most = min(count, rows)
    parts = count // 10 + most
    wide = math.ceil(width / 32) * 32
    sums = [parts * wide * 4, parts * _INDEX]
    return [count * _INDEX, count * _INDEX, most * _INDEX, most * _INDEX, most * _INDEX, *sums]


def _index_put(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """Linear indices, sorted (index_put_with_sort_kernel in cuda/Indexing.cu)."""
    masks = [each for each in args[1] if each is not None and each.dtype in (torch.bool, torch.uint8)]
    if masks:
        return []
    adds = kwargs.get("accumulate", args[3] if len(args) > 3 else False)
    if not adds:
        return []
    shape = torch.broadcast_shapes(*(each.shape for each in args[1] if each is not None))
    count = math.prod(shape)
    return [count * _INDEX, count * _INDEX, count * _INDEX, count * _INDEX, _radix(count, 8, _INDEX)]


def _topk(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """Counts of digits for blocks of rows that several share (mbtopk::launch in cuda/TensorTopK.cu)."""
    x = args[0]
    dim = int(kwargs.get("dim", args[2] if len(args) > 2 else -1))
    length = x.size(dim) if x.dim() else 1
    rows = x.numel() // max(length, 1)
    least = next((least for most, least in _SHARED_ROWS if rows <= most), _LEAST_SHARED)
    if not x.numel() or length < least:
        return []

    def counts(processors: int) -> int:
        each = math.ceil(length * rows / (processors * _TOPK_BLOCKS * _TOPK_THREADS))
        blocks = rows * math.ceil(length / (_TOPK_THREADS * max(4, min(each, 64))))
        return 2 * _DIGIT * int(blocks)

    counted = QUESTIONS.by_processors(card, counts)
    found = counted // _DIGIT * 2
    # The largest, what is left to find and digits of each row, and sums over all digits.
    of_rows = [rows * x.itemsize, 8 * rows, 2 * rows * x.itemsize, 4 * _DIGIT * rows]
    return [counted, found, found, *of_rows, _SCANNED]


def _selected(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """Indices that a mask is turned into."""
    masks = args[1] if isinstance(args[1], list | tuple) else [args[1]]
    found = [each for each in masks if each is not None and each.dtype in (torch.bool, torch.uint8)]
    if not found:
        return []
    rows = out.numel() // max(math.prod(args[0].shape[found[0].dim() :]), 1)
    return [rows * _INDEX * each.dim() for each in found]


# --- reductions ---------------------------------------------------------------------------------------

_THREADS, _WARP, _VECTOR = 512, 32, 4
_FEWEST, _MOST = 16, 256


def _power(number: int) -> int:
    return 1 << (max(1, number).bit_length() - 1)


def reduced(processors: int, outputs: int, inputs: int, across: bool, vector: int, itemsize: int = 4) -> int:
    """Bytes in which blocks of threads hand their sums on, as setReduceConfig in cuda/Reduce.cuh decides.

    `outputs` numbers are made of `inputs` numbers each, in sums of `itemsize` bytes. `across` says that
    neighbours in memory belong to different outputs, of which `vector` are read at once.
    """
    threads = _THREADS // (vector if across else 1)
    first, second = (outputs // vector, inputs) if across else (inputs, outputs)
    first, second = (min(_power(extent), threads) for extent in (first, second))
    width = min(first, _WARP)
    height = min(second, threads // width)
    width = min(first, threads // height)
    values = inputs if across else math.ceil(inputs / width)
    if values < min(height * _FEWEST, _MOST):
        return 0
    values = math.ceil(values / height)
    grid = math.ceil(outputs / vector / width) if across else outputs
    target = processors * (2048 // (width * height))
    if values < _MOST or grid > target:
        return 0
    blocks = max(min(math.ceil(target / grid), math.ceil(values / _FEWEST)), math.ceil(values / _MOST))
    if blocks <= 1:
        return 0
    size = itemsize * outputs * blocks
    return size * width * vector if across else size


def _sum(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    return reduction(card, args[0], _gone(args, kwargs, 1))


def _norm(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    return reduction(card, args[0], _gone(args, kwargs, 2))


def _where_largest(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """A value and its place are handed on."""
    return reduction(card, args[0], _gone(args, kwargs, 1), 8 + max(_INDEX, args[0].itemsize))


def _any(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    return reduction(card, args[0], _gone(args, kwargs, 1), 1)


def _norms(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """A number for each 65,536 of each tensor, as many as the longest has (cuda/ForeachReduceOp.cu)."""
    tensors = args[0]
    chunks = math.ceil(max(tensor.numel() for tensor in tensors) / _CHUNK)
    return [len(tensors) * chunks * max(4, out[0].itemsize)]


_CHUNK = 65536
"""Numbers that one block of torch's kernels for many tensors works on (kChunkSize)."""


def _gone(args: Any, kwargs: Any, place: int) -> set[int]:
    """The dimensions that a reduction takes away; all where it names none."""
    x = args[0]
    dims = kwargs.get("dim", args[place] if len(args) > place else None)
    if isinstance(dims, int):
        dims = [dims]
    return {dim % x.dim() for dim in dims} if dims and x.dim() else set(range(x.dim()))


def reduction(card: Card, x: Any, gone: Iterable[int], itemsize: int = 0) -> Sizes:
    """What a sum over some dimensions takes; others hand on `itemsize` bytes for each number."""
    gone = set(gone)
    wide = [dim for dim in range(x.dim()) if x.size(dim) > 1 and x.stride(dim)]
    if not x.numel() or not any(dim in gone for dim in wide):
        return []
    nearest = min(wide, key=x.stride)
    outputs = math.prod(x.size(dim) for dim in range(x.dim()) if dim not in gone)
    across = nearest not in gone
    vector = 1
    if across and x.stride(nearest) == 1:
        vector = next(each for each in (_VECTOR, 2, 1) if x.size(nearest) % each == 0)
    inputs = x.numel() // max(outputs, 1)
    itemsize = itemsize or max(4, x.itemsize)
    size = QUESTIONS.by_processors(
        card, lambda processors: reduced(processors, outputs, inputs, across, vector, itemsize)
    )
    return [size, 512] if size else []


# --- others -------------------------------------------------------------------------------------------


def _logsumexp(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """Exponentials of everything, beside the largest of each row."""
    return [_bytes(args[0]), _bytes(out)]


def _softmax(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """A contiguous input (host_softmax in cuda/SoftMax.cu)."""
    return _copies(args[0])


def _log_softmax_backward(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """Contiguous gradients and outputs (host_softmax_backward in cuda/SoftMax.cu)."""
    return _copies(*args[:2])


def _softmax_backward(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """Gradients times outputs (softmax_backward_cuda_out in cuda/SoftMax.cu); log_softmax has none."""
    return [_bytes(args[1])]


def _safe_softmax(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """Where rows are masked whole: each element compared, and each row (_safe_softmax in attention.cpp)."""
    return [out.numel(), out.numel() // max(out.size(args[1]), 1), 4]


def _ctc(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """The backward variables beside the forward ones, and lengths (ctc_loss_backward_gpu_template).

    From some size on the gradients of blanks are summed by torch's operators: the sums of both, their
    exponentials, the largest of each row and what comes out.
    """
    data, alpha = args[1], args[6]
    steps, batch, classes = data.shape
    sizes = [_bytes(alpha), *[batch * _INDEX] * 3]
    if 2 * steps + 24 * batch // 10 + 2 * classes // 10 > _LARGE_CTC:
        rows = _bytes(alpha) // alpha.size(2)
        blanks = rows * (alpha.size(2) // 2 + 1)
        sizes += [blanks, blanks, rows, rows]
    return sizes


def _multinomial(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """Without replacement, or for one sample, the largest of as many quotients (Distributions.cpp)."""
    count = int(kwargs.get("num_samples", args[1]))
    again = bool(kwargs.get("replacement", args[2] if len(args) > 2 else False))
    if again or count == 1:
        return [_bytes(args[0])] * (3 if again and count > 1 else 1)
    values = out.numel() * args[0].itemsize
    return [_bytes(args[0]), values, *_topk(card, (args[0], count), {}, out)]


def _distances(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """Points with their norms and ones beside them, for one product (_euclidean_dist in Distance.cpp)."""
    return [(x.size(-1) + 2) * (x.numel() // max(x.size(-1), 1)) * x.itemsize for x in args[:2]]


def _resized(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """What is given begins as large as the input, and grows (cuda/Im2Col.cu, cuda/Col2Im.cu)."""
    return [_bytes(args[0])] if _bytes(out) > _bytes(args[0]) else []


def _whole_spectrum(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """Of real numbers one half is computed and copied into the whole (_fft_r2c_cufft in SpectralOps.cpp)."""
    dims, one_sided = args[1], bool(args[3])
    if one_sided or not out.numel():
        return []
    length = out.size(dims[-1])
    return [_bytes(out) // length * (length // 2 + 1)]


def _mean_of_losses(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """Every element's loss (mse_loss_out in Loss.cpp)."""
    return [_bytes(args[0])] if out.dim() == 0 else []


def _flash(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """Gradients of queries are summed in float32, beside one number for each row.

    On Hopper and data-centre Blackwell torch takes cuDNN's kernel for these tensors, which does not pad them
    (check_prefer_cudnn_attention in sdp_utils.cpp). Shared heads get gradients of their own first.
    """
    query, key = args[1], args[2]
    batch, heads, length, width = query.shape
    if not QUESTIONS.of(card, "at least 9.0") or QUESTIONS.of(card, "at least 11.0"):
        length, width = math.ceil(length / 128) * 128, math.ceil(width / 32) * 32
    shared = 2 * batch * heads * key.size(2) * key.size(3) * key.itemsize if heads != key.size(1) else 0
    return [4 * batch * heads * length * width, 4 * batch * heads * length, shared]


def _efficient_forward(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """Sums in float32 of heads that do not stay in registers (output_accum in attention.cu)."""
    value = args[2]
    wide = value.itemsize < 4 and value.size(-1) > _IN_REGISTERS
    return [4 * out[0].numel()] if wide else []


def _efficient(card: Card, args: Any, kwargs: Any, out: Any) -> Sizes:
    """The same, in tiles of 64 (attention_backward.cu); float32 needs two numbers for each row.

    Of wide heads in half precision, gradients of keys and values are summed there as well, for parts of the
    keys that are worked on at the same time (workspace_elements_gk and num_splits_key in
    mem_eff_attention/kernel_backward.h and attention_backward.cu; the kernels in generate_kernels.py).
    """
    query, key, value = args[1:4]
    batch, heads, length, width = query.shape
    rows = batch * heads * math.ceil(length / 64) * 64
    each = 8 if query.itemsize == 4 else 4
    sums = 4 * rows * math.ceil(width / 64) * 64
    if query.itemsize < 4 and max(width, value.size(-1)) > _IN_REGISTERS:
        splits = max(1, min(math.ceil(key.size(-2) / _KEYS), _AT_ONCE // (batch * heads)))
        wide = sum(math.ceil(each.size(-1) / _QUERIES) * _QUERIES for each in (query, value))
        headers = 16 * batch * heads * math.ceil(length / _QUERIES) * math.ceil(width / _KEYS)
        sums += 4 * batch * heads * splits * _KEYS * wide + headers
    return [sums, each * batch * heads * length]


_BY_NAME: dict[str, Kernel] = {
    "sort.default": _sort,
    "sort.stable": _sort,
    "median.default": _median,
    "_unique2.default": _unique,
    "randperm.default": _randperm,
    "embedding.default": _looked_up,
    "embedding_dense_backward.default": _embedding,
    "_embedding_bag_backward.default": _bag,
    "index_put_.default": _index_put,
    "index_put.default": _index_put,
    "_index_put_impl_.default": _index_put,
    "index.Tensor": _selected,
    "masked_select.default": _selected,
    "sum.default": _sum,
    "sum.dim_IntList": _sum,
    "mean.default": _sum,
    "mean.dim": _sum,
    "amax.default": _sum,
    "amin.default": _sum,
    "max.default": _sum,
    "min.default": _sum,
    "linalg_vector_norm.default": _norm,
    "argmax.default": _where_largest,
    "argmin.default": _where_largest,
    "any.default": _any,
    "any.dim": _any,
    "all.default": _any,
    "all.dim": _any,
    "_foreach_norm.Scalar": _norms,
    "topk.default": _topk,
    "logsumexp.default": _logsumexp,
    "_softmax.default": _softmax,
    "_log_softmax.default": _softmax,
    "_log_softmax_backward_data.default": _log_softmax_backward,
    "_softmax_backward_data.default": _softmax_backward,
    "_safe_softmax.default": _safe_softmax,
    "_ctc_loss_backward.default": _ctc,
    "multinomial.default": _multinomial,
    "_euclidean_dist.default": _distances,
    "im2col.default": _resized,
    "col2im.default": _resized,
    "_fft_r2c.default": _whole_spectrum,
    "mse_loss.default": _mean_of_losses,
    "smooth_l1_loss.default": _mean_of_losses,
    "_scaled_dot_product_flash_attention_backward.default": _flash,
    "_scaled_dot_product_efficient_attention.default": _efficient_forward,
    "_scaled_dot_product_efficient_attention_backward.default": _efficient,
}

KERNELS: dict[Any, Kernel] = {
    known: kernel for name, kernel in _BY_NAME.items() if (known := operator(name)) is not None
}


HOLD_ALL = operators(
    "mse_loss.default smooth_l1_loss.default soft_margin_loss.default binary_cross_entropy.default".split()
)
"""Losses whose mean keeps the storage of all elements' losses: only its shape is changed (Loss.cpp)."""

RESIZED = operators("im2col.default col2im.default".split())
"""Operations that give what began as large as their input: it keeps that where it is smaller."""
