"""What operations give: for real where all is in host memory, else as fakes, which have no values."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from memlint.runtime.cards import Card
from memlint.runtime.child.private import TorchDispatchMode, inner_tensors, schema, storage_key
from memlint.runtime.simulate import dtypes, kernels, private, ranges
from memlint.runtime.simulate.group.groups import Groups
from memlint.runtime.simulate.group.place import PLACE
from memlint.runtime.simulate.kernels import GEMMS, KERNELS, UnsimulatedError
from memlint.runtime.simulate.memory import thin
from memlint.runtime.simulate.memory.pinned import Pinned
from memlint.runtime.simulate.mirrors import LIMIT, MIRRORS
from memlint.runtime.simulate.patches import deterministic
from memlint.runtime.simulate.private import (
    NO_ANSWER,
    FakeTensor,
    FakeTensorMode,
    operator,
    operators,
    tree_iter,
)
from memlint.runtime.simulate.scratch import convolutions, native
from memlint.runtime.simulate.sparse import compressed
from memlint.runtime.simulate.sparse import parts as sparse
from memlint.runtime.simulate.values import Values

BIG_PARAMETER = 64 << 20
"""Bytes from which a parameter that torch.nn makes in host memory is imagined too."""

_MODULES = os.path.join("torch", "nn", "modules")
_PACKAGE = str(Path(__file__).parents[2])
_DISPATCH = (str(Path(torch.__file__).parent / "_compile.py"), str(Path(torch.__file__).parent / "_dynamo"))

_COPY_INTO = operator("copy_.default")
_CONVOLUTION = operator("convolution.default")
_ITEM = operator("_local_scalar_dense.default")
_COLLECTIVE = frozenset(("c10d", "_c10d_functional"))
_IS_PINNED = operator("is_pinned.default")
_PIN = operator("_pin_memory.default")
_MOVES = operators("to.device to.dtype to.dtype_layout to.other".split())
"""What a mode sees only where autograd is over already: in the operations of a nested tensor on its parts."""
_NESTED = operators(
    "_nested_tensor_from_tensor_list.default _nested_tensor_from_mask.default _nested_from_padded.default "
    "_nested_view_from_buffer.default".split()
)
_STRIDED = (
    "nested tensors of the strided layout, whose sizes torch keeps below all that can be seen, cannot be "
    "simulated: give layout=torch.jagged where they are made"
)
_EMPTY = operator("empty.memory_format")
_ZERO = operator("zero_.default")
_SPARSE_PRODUCT = operator("_sparse_addmm.default")
COPY_TO = operator("_to_copy.default")

_is_composite = functools.cache(private.is_composite)


@functools.cache
def _only_writes(func: Any) -> bool:
    """Whether an operation writes into the tensors of a list and gives nothing, as those of optimizers do."""
    name, _, _ = func.__name__.partition(".")
    described = schema(func)
    is_such = name.startswith("_foreach_") and name.endswith("_")
    return is_such and described is not None and not described.returns


class Operations:
    """Runs the operations that `mode` sees, and remembers which there were on the GPU (`seen`).

    `multiplies` is called before each product of matrices, and told whether a bias is added to it,
    `convolves` before each convolution. `groups` count collective operations, once they are known. `pinned`
    are storages in host memory that a script believes to be pinned.
    """

    def __init__(
        self,
        mode: TorchDispatchMode,
        values: Values,
        multiplies: Callable[[bool], None],
        convolves: Callable[[], None],
    ) -> None:
        self.fake = FakeTensorMode(allow_non_fake_inputs=True, allow_fallback_kernels=False)
        self.values = values
        self.groups: Groups | None = None
        self.seen: set[Any] = set()
        self.pinned = Pinned()
        self.searched = 0
        self._mode = mode
        self._multiplies = multiplies
        self._convolves = convolves

    def run(self, func: Any, types: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """What an operation gives."""
        if func in _MOVES or (_is_composite(func) and _without_autograd(args)):
            return self._taken_apart(func, args, kwargs)
        if kwargs.get("pin_memory"):
            out = self.run(func, types, args, {**kwargs, "pin_memory": False})
            self._pin(out)
            return out
        device = kwargs.get("device")
        to_cuda = device is not None and device.type == "cuda"
        if device is not None and to_cuda and device.index:
            PLACE.index_of(device)
        if func in _NESTED and any(map(_leads_to_gpu, tree_iter((args, kwargs)))):
            raise UnsimulatedError(_STRIDED)
        if not any(issubclass(kind, FakeTensor) for kind in types) and not to_cuda:
            return self._on_host(func, args, kwargs)
        if func is private.ASKED_DEVICE:
            # vmap asks in a state of the dispatcher in which nothing may be computed.
            return args[0].fake_device
        self.seen.add(func)
        if func.namespace in _COLLECTIVE and self.groups is not None:
            self.groups.collected(func, args)
        if func is _ITEM:
            return self.values.scalar(args[0])
        if func is _IS_PINNED:
            return False
        if func is COPY_TO:
            return self._moved(func, args[0], kwargs)
        if func is _COPY_INTO and isinstance(args[0], FakeTensor) != isinstance(args[1], FakeTensor):
            return self._copied(args[0], args[1])
        if func in GEMMS:
            self._multiplies(kernels.adds_bias(func, args, kwargs))
        if func is convolutions.FORWARD:
            self._convolves()
        return self._faked(func, types, args, kwargs)

    def scratch(
        self, func: Any, args: Any, kwargs: Any, out: Any, card: Card
    ) -> tuple[list[native.Sizes], bool]:
        """Bytes of blocks that an operation works in, round after round, and whether it can do without."""
        kernel = native.KERNELS.get(func)
        convolves = func is convolutions.FORWARD or func is convolutions.BACKWARD
        if kernel is None and not convolves:
            return [], False
        first = args[0][:1] if isinstance(args[0], list) else args[:1]
        looked_at = [each for each in (*first, out) if isinstance(each, FakeTensor)]
        if not any(each.device.type == "cuda" for each in looked_at):
            return [], False
        if any(each.layout is not torch.strided for each in looked_at):
            return [], False
        if kernel is not None:
            return [kernel(card, args, kwargs, out)], False
        return convolutions.convolution(card, func, args, out), True

    def _as_cudnn_lays_out(self, func: Any, args: Any, out: Any) -> Any:
        """What a convolution gives, channels last where its input or its weights are.

        As cudnn_conv_suggest_memory_format in ATen/native/ConvUtils.h; builds without CUDA decide otherwise.
        """
        tensors = args[1:3] if func is convolutions.BACKWARD else args[:2]
        if not torch.backends.cudnn.enabled or not any(map(convolutions.is_channels_last, tensors)):
            return out

        def last(tensor: Any) -> Any:
            layout = None if tensor is None else convolutions.LAYOUTS.get(tensor.dim())
            return tensor if layout is None else torch.empty_like(tensor, memory_format=layout)

        with self.fake:
            return (last(out[0]), last(out[1]), out[2]) if func is convolutions.BACKWARD else last(out)

    def _taken_apart(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Where there is autograd, it has done this before a mode sees the parts."""
        TorchDispatchMode.__enter__(self._mode)
        try:
            return func.decompose(*args, **kwargs)
        finally:
            TorchDispatchMode.__exit__(self._mode, None, None, None)

    def _on_host(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        if func is _PIN:
            out = args[0].clone()
            self._pin(out)
            return out
        if func is _IS_PINNED:
            return storage_key(args[0].untyped_storage()) in self.pinned
        if func is _EMPTY and _is_big_parameter(args, kwargs):
            with self.fake:
                return func(*args, **kwargs)
        out = thin.made(func, args, kwargs)
        return out if out is not None else func(*args, **kwargs)

    def _pin(self, tensor: Any) -> None:
        storage = tensor.untyped_storage()
        self.pinned.add(storage_key(storage), storage.nbytes())

    def _moved(self, func: Any, source: Any, kwargs: dict[str, Any]) -> Any:
        device = kwargs.get("device")
        if isinstance(source, FakeTensor):
            if device is not None and device.type == "cpu" and source.device.type == "cuda":
                return self.values.on_host(source, kwargs.get("dtype") or source.dtype)
            return self._faked(func, (FakeTensor,), (source,), kwargs)
        if source.is_nested:
            raise UnsimulatedError(_STRIDED)
        if source.layout in sparse.LAYOUTS:
            *places, values = (self._moved(func, p, {"device": device}) for p in inner_tensors(source))
            if kwargs.get("dtype") is not None:
                values = self._faked(func, (FakeTensor,), (values,), {"dtype": kwargs["dtype"]})
            return sparse.like(self.fake, source, [*places, values])
        if source.layout is not torch.strided:
            raise UnsimulatedError(f"tensors of layout {source.layout} cannot be moved to a simulated GPU")
        # What is converted on the way is converted in host memory.
        dtype, where = kwargs.get("dtype") or source.dtype, device or kernels.CUDA
        there = kernels.empty(self.fake, source.shape, dtype, source.stride(), where)
        with self.fake:
            out = func(there, **kwargs)
        self.values.copied(out, source)
        return out

    def _copied(self, target: Any, source: Any) -> Any:
        if isinstance(target, FakeTensor):
            MIRRORS.changed(target)
            self.values.overwritten(target, source)
        elif target.numel() > LIMIT and target.dtype.is_floating_point:
            self.values.count("values copied to the host")  # its pages are left alone: they may be many
        elif target.numel() > LIMIT and self.values.known(source) is None:
            self.values.count("values copied to the host")
            if thin.made(_ZERO, (target,), {}) is None:
                target.zero_()
        elif target.numel():
            target.copy_(self.values.on_host(source, target.dtype))
        return target

    def _faked(self, func: Any, types: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        dtypes.check(func, args)
        deterministic.check(func, args)
        with self.fake:
            args = dtypes.as_fakes_take_them(func, args)
        own = compressed.kernel_of(func, args) or KERNELS.get(func)
        if own is None and kernels.masked_index(func, args):
            own = kernels.select_by_mask
        if own is None and kernels.multiplies_sparse(func, args):
            own = kernels.multiply_sparse
        if own is None and kernels.copies_sparse(func, args):
            own = kernels.copy_sparse
        if own is None and kernels.adds_sparse(func, args):
            own = kernels.add_sparse
        if own is kernels.multiply_sparse or own is compressed.multiply:
            self.seen.add(_SPARSE_PRODUCT)
        known = self.values.known_arguments(func, args, kwargs)
        if own is not None and (known is None or own not in kernels.BY_VALUES):
            return own(self.fake, self.values, func, args, kwargs)
        if own is not None:
            # Its shapes follow from the values, which are known here.
            return kernels.on_cpu(self.fake, self.values, func, args, kwargs)
        try:
            # Not by way of the mode: that would take as long again.
            out: Any = None if _only_writes(func) else self.fake.dispatch(func, types, args, kwargs)
        except NO_ANSWER as error:
            return kernels.on_cpu(self.fake, self.values, func, args, kwargs, error)
        except RuntimeError as error:
            # torch.library.custom_op raises this for one of a script's own.
            if "register_fake" not in str(error) or not kernels.advice(func):
                raise
            return kernels.on_cpu(self.fake, self.values, func, args, kwargs, error)
        if func is convolutions.FORWARD or func is convolutions.BACKWARD:
            out = self._as_cudnn_lays_out(func, args, out)
        if func in native.HOLD_ALL and out.dim() == 0:
            with self.fake:
                out = torch.empty(args[0].shape, dtype=out.dtype, device=out.device).as_strided((), ())
        if func in native.RESIZED and out.numel() < args[0].numel():
            with self.fake:
                whole = torch.empty(args[0].numel(), dtype=out.dtype, device=out.device)
                out = whole.as_strided(out.shape, out.stride())
        if known is not None:
            self.values.derive(func, known, args, kwargs, out)
            return out
        if func is _CONVOLUTION and torch.backends.cudnn.enabled and torch.backends.cudnn.benchmark:
            tensors = (each for each in (*args[:2], out) if isinstance(each, torch.Tensor))
            self.searched = max(self.searched, sum(each.numel() * each.itemsize for each in tensors))
        self.values.constant(func, args, kwargs, out)
        self.values.note(func, args, kwargs, out)
        self.values.decided(func, args, out)
        ranges.follow(func, args, kwargs, out, self.values.keep)
        return out


def _without_autograd(args: Any) -> bool:
    """Whether autograd leaves an operation whole: in inference mode, and of a tensor made there."""
    first = args[0] if args else None
    return torch.is_inference_mode_enabled() or (isinstance(first, torch.Tensor) and first.is_inference())


def _leads_to_gpu(value: Any) -> bool:
    """Whether an argument has an operation done on the simulated GPU."""
    return isinstance(value, FakeTensor) or (isinstance(value, torch.device) and value.type == "cuda")


def _is_big_parameter(args: Any, kwargs: dict[str, Any]) -> bool:
    dtype = kwargs.get("dtype") or torch.get_default_dtype()
    size = dtype.itemsize
    for extent in args[0]:
        size *= extent
    if size < BIG_PARAMETER:
        return False
    frame: Any = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith((_PACKAGE, *_DISPATCH)):
        frame = frame.f_back
    return frame is not None and _MODULES in frame.f_code.co_filename
