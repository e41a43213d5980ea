"""Operations that `torch.use_deterministic_algorithms(True)` refuses on a GPU; fake tensors do them all.

The list is that of its docstring in torch 2.13, the names are those that ATen's CUDA kernels give to
`alertNotDeterministic`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from memlint.runtime.simulate.private import operator

_SAYS = (
    "{} does not have a deterministic implementation, but you set "
    "'torch.use_deterministic_algorithms(True)'. You can turn off determinism just for this operation, or "
    "you can use the 'warn_only=True' option, if that's acceptable for your application."
)

_ALWAYS = {
    "avg_pool3d_backward": "avg_pool3d_backward_cuda",
    "_adaptive_avg_pool2d_backward": "adaptive_avg_pool2d_backward_cuda",
    "_adaptive_avg_pool3d_backward": "adaptive_avg_pool3d_backward_cuda",
    "adaptive_max_pool2d_backward": "adaptive_max_pool2d_backward_cuda",
    "fractional_max_pool2d_backward": "fractional_max_pool2d_backward_cuda",
    "fractional_max_pool3d_backward": "fractional_max_pool3d_backward_cuda",
    "max_unpool2d": "max_unpooling2d_forward_out",
    "max_unpool3d": "max_unpooling3d_forward_out",
    "upsample_linear1d_backward": "upsample_linear1d_backward_out_cuda",
    "upsample_bilinear2d_backward": "upsample_bilinear2d_backward_out_cuda",
    "upsample_bicubic2d_backward": "upsample_bicubic2d_backward_out_cuda",
    "upsample_trilinear3d_backward": "upsample_trilinear3d_backward_out_cuda",
    "reflection_pad1d_backward": "reflection_pad1d_backward_out_cuda",
    "reflection_pad2d_backward": "reflection_pad2d_backward_cuda",
    "reflection_pad3d_backward": "reflection_pad3d_backward_out_cuda",
    "_ctc_loss_backward": "ctc_loss_backward_gpu",
    "grid_sampler_2d_backward": "grid_sampler_2d_backward_cuda",
    "grid_sampler_3d_backward": "grid_sampler_3d_backward_cuda",
    "put_": "put_",
}
"""Operations and what torch calls them."""


def _sums(args: Any) -> bool:
    """Whether losses are added up (reduction "mean" or "sum")."""
    return bool(args[3])


def _floats(args: Any) -> bool:
    return bool(args[0].is_floating_point() or args[0].is_complex())


def _is_weighed(args: Any) -> bool:
    return len(args) > 1 and args[1] is not None


def _takes_largest(args: Any) -> bool:
    return int(args[8]) == _LARGEST


_LARGEST = 2
"""The mode of a bag that gives the largest of its rows."""

_SOMETIMES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "nll_loss2d_forward": ("nll_loss2d_forward_out_cuda_template", _sums),
    "cumsum": ("cumsum_cuda_kernel", _floats),
    "histc": ("_histc_cuda with floating point input", _floats),
    "bincount": ("_bincount_cuda", _is_weighed),
    "_embedding_bag_backward": ("embedding_bag_backward_cuda_max", _takes_largest),
}

_REFUSED: dict[Any, tuple[str, Callable[[Any], bool]]] = {}
for _name, _title in _ALWAYS.items():
    _REFUSED[operator(f"{_name}.default")] = (_title, lambda args: True)
for _name, _rule in _SOMETIMES.items():
    _REFUSED[operator(f"{_name}.default")] = _rule
_REFUSED.pop(None, None)


def check(func: Any, args: Any) -> None:
    """Raise what an operation on the GPU would.

    Raises:
        RuntimeError: the script wants deterministic algorithms, and there is none.
    """
    refused = _REFUSED.get(func)
    if refused is None or not torch.are_deterministic_algorithms_enabled():
        return
    title, applies = refused
    if applies(args) and not torch.is_deterministic_algorithms_warn_only_enabled():
        raise RuntimeError(_SAYS.format(title))
