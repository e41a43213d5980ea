"""The kernel of attention that torch would choose on the simulated GPU.

Follows use_flash_attention and use_mem_efficient_attention in ATen/native/transformers/cuda/sdp_utils.cpp.
cuDNN's attention, which newer builds prefer on Hopper, keeps what flash attention keeps and is taken for it.
"""

from __future__ import annotations

import functools
from typing import Any, Protocol

import torch
import torch.nn.functional as functional

from memlint.runtime.simulate import private
from memlint.runtime.simulate.private import FakeTensor, operator
from memlint.runtime.simulate.questions import QUESTIONS

_FLASH = operator("_scaled_dot_product_flash_attention.default")
_EFFICIENT = operator("_scaled_dot_product_efficient_attention.default")
_MATH = operator("_scaled_dot_product_attention_math.default")

_HALF = (torch.float16, torch.bfloat16)

WIDEST = 256
"""The widest head that the flash kernel takes."""

MASK_ALIGNMENT = 8
"""Elements to a multiple of which the memory-efficient kernel has a mask's rows padded."""


class Asked(Protocol):
    """What can be asked of a card."""

    def at_least(self, major: int, minor: int = 0) -> bool:
        """Whether the compute capability is that or a higher one."""

    def capability(self) -> tuple[int, int]:
        """The compute capability."""


def install() -> None:
    """Have scaled_dot_product_attention choose by the simulated GPU for the rest of the process."""
    real = functional.scaled_dot_product_attention

    @functools.wraps(real)
    def chosen(query: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(query, FakeTensor) and query.device.type == "cuda":
            return attention(query, *args, **kwargs)
        return real(query, *args, **kwargs)

    if None not in (_FLASH, _EFFICIENT, _MATH):
        private.replace_attention(chosen)


def attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    """scaled_dot_product_attention with the kernel that torch would choose.

    Autocast casts all its arguments, and does nothing within it: the plain kernel works in float32.
    """
    if torch.is_autocast_enabled("cuda"):
        dtype = torch.get_autocast_dtype("cuda")
        query, key, value = (tensor.to(dtype) for tensor in (query, key, value))
        if attn_mask is not None and attn_mask.is_floating_point():
            attn_mask = attn_mask.to(dtype)
        with torch.autocast("cuda", enabled=False):
            return attention(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)
    if not query.dtype is key.dtype is value.dtype:
        raise RuntimeError(
            f"Expected query, key, and value to have the same dtype, but got query.dtype: {query.dtype} "
            f"key.dtype: {key.dtype} and value.dtype: {value.dtype} instead."
        )
    if attn_mask is not None and attn_mask.dtype not in (torch.bool, torch.float32, query.dtype):
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: "
            f"{attn_mask.dtype} and query.dtype: {query.dtype} instead."
        )
    recording = torch.is_grad_enabled() and any(tensor.requires_grad for tensor in (query, key, value))
    kernel = _chosen(query, key, value, attn_mask, dropout_p, is_causal, enable_gqa, recording)
    if kernel == private.FLASH:
        return _flash(query, key, value, dropout_p, is_causal, scale)
    if kernel == private.EFFICIENT:
        bias = _bias(query, key, attn_mask)
        return _EFFICIENT(query, key, value, bias, recording, dropout_p, is_causal, scale=scale)[0]
    if enable_gqa:
        repeats = query.size(-3) // key.size(-3)
        key, value = (tensor.repeat_interleave(repeats, -3) for tensor in (key, value))
    return _MATH(query, key, value, attn_mask, dropout_p, is_causal, scale=scale)[0]


def _chosen(
    query: Any, key: Any, value: Any, mask: Any, dropout: float, causal: bool, grouped: bool, recording: bool
) -> int:
    """The first kernel that is enabled and can, in torch's order (select_sdp_backend in sdp_utils.cpp).

    Raises:
        RuntimeError: there is none.
    """
    cuda = torch.backends.cuda

    def takes(masked: Any) -> bool:
        return takes_flash(query, key, value, masked, dropout, causal, grouped, recording, QUESTIONS)

    for kernel in private.attention_order():
        if kernel == private.FLASH and cuda.flash_sdp_enabled() and takes(mask):
            return kernel
        efficient = kernel == private.EFFICIENT and cuda.mem_efficient_sdp_enabled()
        if efficient and takes_efficient(query, key, value, mask, QUESTIONS):
            return kernel
        if kernel == private.PLAIN and cuda.math_sdp_enabled():
            return kernel
        if kernel == private.CUDNN and _has_cudnn() and takes(None):
            return private.FLASH
    raise RuntimeError("No available kernel. Aborting execution.")


def _has_cudnn() -> bool:
    enabled = getattr(torch.backends.cuda, "cudnn_sdp_enabled", None)
    return enabled is not None and bool(enabled())


def takes_flash(
    query: Any,
    key: Any,
    value: Any,
    mask: Any,
    dropout: float,
    causal: bool,
    grouped: bool,
    recording: bool,
    card: Asked,
) -> bool:
    """Whether the flash kernel takes these tensors; the card is asked only where it matters."""
    width = query.size(-1)
    if mask is not None or query.dtype not in _HALF or not _alike(query, key, value, grouped):
        return False
    if width > WIDEST or key.size(-1) != width or value.size(-1) != width:
        return False
    if causal and query.size(-2) != key.size(-2):
        return False
    if any(tensor.stride(-1) != 1 for tensor in (query, key, value)) or not card.at_least(8):
        return False
    if recording and (192 < width <= 224 or (width > 224 and dropout > 0)):
        capability = card.capability()
        return capability not in ((8, 6), (8, 9)) and capability[0] != 12
    return True


def takes_efficient(query: Any, key: Any, value: Any, mask: Any, card: Asked) -> bool:
    """Whether the memory-efficient kernel takes these tensors; the card is asked only where it matters."""
    if query.dtype not in (torch.float32, *_HALF) or not _alike(query, key, value, grouped=False):
        return False
    if any(tensor.stride(-1) != 1 for tensor in (query, key, value, mask) if tensor is not None):
        return False
    if query.size(-1) != key.size(-1) or (query.dtype is torch.bfloat16 and not card.at_least(8)):
        return False
    # minimum_gemm_alignment: 128 bits where tensor cores multiply, single numbers elsewhere.
    half = query.dtype in _HALF
    aligned = all(tensor.size(-1) % (8 if half else 4) == 0 for tensor in (query, value))
    return aligned or not card.at_least(7 if half else 8)


def _alike(query: Any, key: Any, value: Any, grouped: bool) -> bool:
    tensors = (query, key, value)
    if any(tensor.dim() != 4 or 0 in tensor.shape for tensor in tensors):
        return False
    if len({tensor.dtype for tensor in tensors}) > 1 or len({tensor.size(0) for tensor in tensors}) > 1:
        return False
    heads = [tensor.size(1) for tensor in tensors]
    same = heads[0] == heads[1] == heads[2]
    return same or (grouped and heads[1] == heads[2] and heads[0] % heads[1] == 0)


def _flash(query: Any, key: Any, value: Any, dropout: float, causal: bool, scale: float | None) -> Any:
    width = query.size(-1)
    missing = -width % 8
    if missing:
        scale = width**-0.5 if scale is None else scale
        query, key, value = (functional.pad(tensor, (0, missing)) for tensor in (query, key, value))
    out = _FLASH(query, key, value, dropout, causal, False, scale=scale)[0]
    return out[..., :width] if missing else out


def _bias(query: Any, key: Any, mask: Any) -> Any:
    if mask is None:
        return None
    if mask.dtype == torch.bool:
        mask = torch.zeros_like(mask, dtype=query.dtype).masked_fill_(mask.logical_not(), float("-inf"))
    columns = mask.size(-1)
    if columns % MASK_ALIGNMENT and columns > 1:
        mask = functional.pad(mask, (0, -columns % MASK_ALIGNMENT))[..., :columns]
    return mask.expand(query.size(0), query.size(1), query.size(2), key.size(2))
