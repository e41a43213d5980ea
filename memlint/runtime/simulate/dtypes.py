"""What operations ask of the types of their arguments on a GPU, where fake tensors do not ask it.

Without this a script that mixes types runs through in a simulation and raises on the GPU: after
`model.half()`, or under an autocast that hands half precision to `index_add_`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from memlint.runtime.simulate.private import operator

_SCALAR_TYPES = {
    torch.float64: ("Double", "double"), torch.float32: ("Float", "float"),
    torch.float16: ("Half", "c10::Half"), torch.bfloat16: ("BFloat16", "c10::BFloat16"),
    torch.int64: ("Long", "long"), torch.int32: ("Int", "int"), torch.int16: ("Short", "short"),
    torch.int8: ("Char", "signed char"), torch.uint8: ("Byte", "unsigned char"), torch.bool: ("Bool", "bool"),
    torch.complex64: ("ComplexFloat", "c10::complex<float>"),
    torch.complex128: ("ComplexDouble", "c10::complex<double>"),
}  # fmt: skip
"""Types as messages of torch name them: c10::ScalarType, and the type of C++."""

_ALIKE: dict[Any, list[tuple[tuple[int, int], str]]] = {}
"""Operation to pairs of arguments that have one type, and what torch says where they do not: {0} and {1} are
their scalar types, {2} and {3} their types in C++, {4} is the operation."""

_MULTIPLIED = "expected mat1 and mat2 to have the same dtype, but got: {2} != {3}"
_ADDED = "self and mat2 must have the same dtype, but got {0} and {1}"
_WEIGHED = "Input type ({2}) and weight type ({3}) should be the same"
_BIASED = "Input type ({2}) and bias type ({3}) should be the same"
_SUMMED = "{4}(): self ({0}) and source ({1}) must have the same scalar type"
_COPIED = "{4}(): self and source expected to have the same dtype, but got (self) {0} and (source) {1}"
_PLACED = (
    "Index put requires the source and destination dtypes match, got {0} for the destination and {1} for the "
    "source."
)
_FOUND = "Found dtype {1} but expected {0}"
_CAST = "result type {1} can't be cast to the desired output type {0}"
_LABELS = "nll_loss_forward_reduce_cuda_kernel_2d_index"
_READ = "expected scalar type {0} but found {1}"

for _names, _pairs in (
    ("mm.default", [((0, 1), _MULTIPLIED)]),
    ("addmm.default _addmm_activation.default", [((1, 2), _MULTIPLIED), ((0, 2), _ADDED)]),
    ("addbmm.default", [((0, 1), _ADDED)]),
    ("mv.default", [((0, 1), _READ)]),
    ("addmv.default", [((1, 2), _READ), ((0, 1), _READ)]),
    ("convolution.default", [((0, 1), _WEIGHED), ((0, 2), _BIASED)]),
    ("index_add.default index_add_.default", [((0, 3), _SUMMED)]),
    ("index_reduce.default index_reduce_.default", [((0, 3), _SUMMED)]),
    ("index_copy.default index_copy_.default", [((0, 3), _COPIED)]),
    ("put.default put_.default", [((0, 2), _COPIED)]),
    ("index_put.default index_put_.default", [((0, 2), _PLACED)]),
    ("binary_cross_entropy.default", [((0, 1), _FOUND), ((0, 2), _FOUND)]),
    ("nll_loss_forward.default nll_loss2d_forward.default", [((0, 2), _READ)]),
    ("grid_sampler_2d.default grid_sampler_3d.default", [((0, 1), _READ)]),
    ("_sparse_addmm.default", [((1, 2), _READ)]),
    ("linalg_cross.default", [((0, 1), _FOUND)]),
    ("native_layer_norm.default", [((0, 2), _READ), ((0, 3), _READ)]),
    ("native_group_norm.default", [((0, 1), _READ), ((0, 2), _READ)]),
):
    for _name in _names.split():
        _ALIKE[operator(_name)] = _pairs


def check(func: Any, args: Any) -> None:
    """Raise what an operation on the GPU would.

    Messages are those of ATen (native/cuda/Blas.cpp, Convolution.cpp, TensorAdvancedIndexing.cpp and the
    dispatch macros of kernels).

    Raises:
        RuntimeError: two arguments would have to be of one type, with the message of torch.
        NotImplementedError: there is no kernel for a type.
    """
    for (one, other), text in _ALIKE.get(func, ()):
        first, second = (args[at] if at < len(args) else None for at in (one, other))
        if first is None or second is None or first.dtype is second.dtype or _fills(func, args):
            continue
        (scalar, plain), (other_scalar, other_plain) = _named(first.dtype), _named(second.dtype)
        name = func.__name__.partition(".")[0].rstrip("_") + "_"
        raise RuntimeError(text.format(scalar, other_scalar, plain, other_plain, name))
    kernel = _KERNELS.get(func)
    if kernel is not None:
        kernel(args)


def as_fakes_take_them(func: Any, args: Any) -> Any:
    """The arguments, in types that fake tensors take where a GPU takes others.

    Labels in bytes (of one dimension) and conditions in bytes.
    """
    taken = _TAKEN.get(func)
    if taken is None or args[taken[0]].dtype is not torch.uint8:
        return args
    at, dtype = taken
    return (*args[:at], args[at].to(dtype), *args[at + 1 :])


def _named(dtype: torch.dtype) -> tuple[str, str]:
    return _SCALAR_TYPES.get(dtype, (str(dtype), str(dtype)))


def _fills(func: Any, args: Any) -> bool:
    """Whether an assignment by a mask is filling with one number, which is converted."""
    if _ALIKE[func][0][1] is not _PLACED or args[2].numel() != 1:
        return False
    return any(each is not None and each.dtype in (torch.bool, torch.uint8) for each in args[1])


def _refuse(name: str, dtype: torch.dtype) -> None:
    raise NotImplementedError(f"\"{name}\" not implemented for '{_named(dtype)[0]}'")


def _no_integers(
    name: str, at: int = 0, *, says: str = "", but: torch.dtype | None = None
) -> Callable[[Any], None]:
    """What refuses integers, with the words that torch `says` where no kernel is to blame.

    `but` is a type of integers that is taken.
    """

    def look(args: Any) -> None:
        dtype = args[at].dtype
        if dtype.is_floating_point or dtype.is_complex or dtype is but:
            return
        if says:
            raise RuntimeError(says.format(_named(dtype)[0]))
        _refuse(name, dtype)

    return look


def _no_halves(name: str) -> Callable[[Any], None]:
    def look(args: Any) -> None:
        if args[0].dtype in (torch.float16, torch.bfloat16):
            _refuse(name, args[0].dtype)

    return look


def _normalized(args: Any) -> None:
    """Weights of a batch norm are of its input's type, or in float32 beside half precision."""
    given, weight = args[:2]
    if weight is not None and weight.dtype not in (given.dtype, torch.float32):
        raise RuntimeError(_READ.format(_named(given.dtype)[0], _named(weight.dtype)[0]))


def _labelled(args: Any) -> None:
    dtype = args[1].dtype
    if dtype not in (torch.int64, torch.uint8):
        _refuse(_LABELS, dtype)


def _labelled_in_planes(args: Any) -> None:
    """Labels of images are read as they are (cuda/NLLLoss2d.cu)."""
    if args[1].dtype is not torch.int64 and args[1].numel():
        raise RuntimeError(_READ.format("Long", _named(args[1].dtype)[0]))


def _index_selected(args: Any) -> None:
    if args[2].dtype not in (torch.int64, torch.int32):
        _refuse("index_select_out_cuda_impl", args[2].dtype)


def _no_complex_or_bool(args: Any) -> None:
    """relu is a clamp."""
    if args[0].dtype is torch.bool:
        raise RuntimeError("Boolean inputs not supported for relu")
    if args[0].dtype.is_complex:
        raise NotImplementedError("clamp is not supported for complex types")


def _changed_in_place(args: Any) -> None:
    """What is computed must fit the type of what is overwritten (TensorIterator.cpp)."""
    result = torch.result_type(args[0], args[1])
    if not torch.can_cast(result, args[0].dtype):
        raise RuntimeError(_CAST.format(_named(args[0].dtype)[0], _named(result)[0]))


_SPREAD = "std and var only support floating point and complex dtypes"
_DRAWN = "multinomial only supports floating-point dtypes for input, got: {0}"
_NO_CUDNN_TYPE = "getCudnnDataTypeFromScalarType() not supported for {0}"

_TAKEN: dict[Any, tuple[int, torch.dtype]] = {
    operator("nll_loss_forward.default"): (1, torch.int64),
    operator("nll_loss_backward.default"): (2, torch.int64),
    operator("where.self"): (0, torch.bool),
}

_KERNELS: dict[Any, Callable[[Any], None]] = {
    operator("nll_loss_forward.default"): _labelled,
    operator("nll_loss2d_forward.default"): _labelled_in_planes,
    operator("index_select.default"): _index_selected,
    operator("relu.default"): _no_complex_or_bool,
    operator("relu_.default"): _no_complex_or_bool,
    operator("convolution.default"): _no_integers("", says=_NO_CUDNN_TYPE),
    operator("std.correction"): _no_integers("", says=_SPREAD),
    operator("var.correction"): _no_integers("", says=_SPREAD),
    operator("var_mean.correction"): _no_integers("", says=_SPREAD),
    operator("std_mean.correction"): _no_integers("", says=_SPREAD),
    operator("multinomial.default"): _no_integers("", says=_DRAWN),
    **{
        operator(name): _changed_in_place
        for name in ("mul_.Tensor", "mul_.Scalar", "add_.Tensor", "add_.Scalar", "sub_.Tensor", "sub_.Scalar")
    },
    **{
        operator(f"{name}.default"): _no_integers(f"{kernel}_out_frame", but=torch.uint8)
        for name, kernel in (
            ("upsample_nearest1d", "upsample_nearest1d"),
            ("upsample_nearest2d", "upsample_nearest2d"),
            ("upsample_nearest3d", "upsample_nearest3d"),
            ("_upsample_nearest_exact1d", "upsample_nearest1d"),
            ("_upsample_nearest_exact2d", "upsample_nearest2d"),
            ("_upsample_nearest_exact3d", "upsample_nearest3d"),
        )
    },
    **{
        operator(f"{name}.default"): _no_integers(kernel, at)
        for name, kernel, at in (
            ("mm", "addmm_cuda", 0),
            ("addmm", "addmm_cuda", 1),
            ("bmm", "baddbmm_cuda", 0),
            ("_softmax", "host_softmax", 0),
            ("_log_softmax", "host_softmax", 0),
            ("gelu", "GeluCUDAKernelImpl", 0),
            ("im2col", "im2col_out_cuda", 0),
            ("max_pool2d_with_indices", "max_pool2d_with_indices_out_cuda_frame", 0),
            ("avg_pool2d", "avg_pool2d_out_cuda_frame", 0),
            ("upsample_linear1d", "upsample_linear1d_out_frame", 0),
            ("upsample_bilinear2d", "upsample_bilinear2d_out_frame", 0),
            ("upsample_bicubic2d", "upsample_bicubic2d_out_frame", 0),
            ("upsample_trilinear3d", "upsample_trilinear3d_out_frame", 0),
            ("silu", "silu_cuda", 0),
            ("mish", "mish_cuda", 0),
            ("softplus", "softplus_cuda", 0),
            ("hardswish", "hardswish_cuda", 0),
            ("uniform_", "check_uniform_bounds", 0),
            ("rand_like", "check_uniform_bounds", 0),
        )
    },
    **{
        operator(f"{name}.default"): _no_halves(kernel)
        for name, kernel in (
            ("_cdist_forward", "cdist_cuda"),
            ("_pdist_forward", "pdist_cuda"),
            ("linalg_cholesky_ex", "cholesky_cusolver"),
            ("_linalg_svd", "svd_cuda_gesvdj"),
            ("_linalg_eigh", "linalg_eigh_cuda"),
            ("linalg_qr", "geqrf_cuda"),
            ("_linalg_det", "lu_factor_cusolver"),
            ("_linalg_solve_ex", "lu_factor_cusolver"),
            ("histc", "histc"),
        )
    },
    **{
        operator(f"{name}.default"): _normalized
        for name in (
            "native_batch_norm",
            "_native_batch_norm_legit",
            "_batch_norm_with_update",
            "cudnn_batch_norm",
        )
    },
}
"""What is asked of the types of single arguments, as an H200 with torch 2.11 refused them."""
