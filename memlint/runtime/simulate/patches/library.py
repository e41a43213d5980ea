"""The parts of torch, besides torch.cuda, that treat fake tensors otherwise than tensors on a GPU."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional
from torch.utils.data import DataLoader

from memlint.runtime.child.private import storage_key
from memlint.runtime.simulate import private, ranges
from memlint.runtime.simulate.patches import adaptive, attention, flex, nested, recurrent, subclasses
from memlint.runtime.simulate.private import FakeTensor, tree_map_only
from memlint.runtime.simulate.values import Values

Note = Callable[[str], None]

_PLAIN = (torch.Tensor, torch.nn.Parameter)

_PADDED = "TransformerEncoder: evaluation is counted with padding, which torch may leave out on a GPU"

_LOADER = {
    "num_workers": 0, "prefetch_factor": None, "persistent_workers": False, "pin_memory": False,
    "multiprocessing_context": None, "timeout": 0,
}  # fmt: skip


def install(values: Values, note: Note, stop: Note) -> None:
    """Replace them for the rest of the process."""
    # type(parameter) is FakeTensor: without this, optimizers and clip_grad_norm_ take another way.
    private.take_for_tensors(FakeTensor)
    private.keep_whole()
    private.read_by(values.scalar)
    private.keep_padded(lambda: note(_PADDED))
    private.replace_apply(_apply)
    attention.install()
    recurrent.install()
    adaptive.install(values)
    nested.install(note, stop)
    flex.install(note)
    subclasses.install()
    _data()
    _ctc(values)
    _one_hot()
    _loaders(note)
    _tensors(values)
    _files()
    _compile(note)
    # Whether arguments are in range cannot be seen from shapes.
    torch.distributions.Distribution.set_default_validate_args(False)


# --- modules --------------------------------------------------------------------------------------------


def _apply(module: Any, function: Callable[[Any], Any], recurse: bool = True) -> Any:
    """Module._apply, under which a parameter stays the same object when it moves to the GPU.

    So it is on a real GPU; ties between parameters and optimizers made before .to() depend on it.
    """
    if recurse:
        for child in module.children():
            private.apply_to(child, function)
    for tensor in (*module.parameters(recurse=False), *module.buffers(recurse=False)):
        _convert(tensor, function)
    return module


def _convert(tensor: torch.Tensor, function: Callable[[Any], Any]) -> None:
    with torch.no_grad():
        new = function(tensor)
    gradient = tensor.grad
    if new is not tensor:
        if isinstance(tensor, FakeTensor) and isinstance(new, FakeTensor) and tensor.device == new.device:
            tensor.data = new
        else:
            _exchange(tensor, new)
        if gradient is not None:
            with torch.no_grad():
                tensor.grad = function(gradient)


def _exchange(old: torch.Tensor, new: torch.Tensor) -> None:
    """torch.utils.swap_tensors, for a tensor to which weak references may exist."""
    kind: Any = type(old)
    if isinstance(old, torch.nn.Parameter):
        new = torch.nn.Parameter(new, old.requires_grad)
    attributes = {name: value for name, value in old.__dict__.items() if name not in new.__dict__}
    old.grad = None
    old.__class__, new.__class__ = new.__class__, old.__class__
    old.__dict__, new.__dict__ = new.__dict__, old.__dict__
    # Those of classes like DTensor, which keep what they consist of in slots.
    slots = [slot for slot in private.slots_of(old.__class__) if hasattr(old, slot) and hasattr(new, slot)]
    for slot in slots:
        mine, theirs = getattr(old, slot), getattr(new, slot)
        setattr(old, slot, theirs)
        setattr(new, slot, mine)
    private.swap(old, new)
    for name, value in attributes.items():
        setattr(old, name, value)
    if type(old) is FakeTensor and kind not in _PLAIN:
        old.__class__ = subclasses.both(kind)


def _data() -> None:
    """`tensor.data = other`, where the tensor lies in host memory and the other one on the GPU."""
    tensor: Any = torch.Tensor
    plain = tensor.data

    def assign(old: Any, new: Any) -> None:
        if isinstance(new, FakeTensor) and not isinstance(old, FakeTensor) and type(old) in _PLAIN:
            _exchange(old, new.detach())
        else:
            plain.__set__(old, new)

    tensor.data = property(plain.__get__, assign)


# --- losses ---------------------------------------------------------------------------------------------


def _ctc(values: Values) -> None:
    """Lengths go to the host before the loss is computed; given tensor subclasses, torch would leave them.

    So it does where cuDNN takes the loss. Its mean divides by the lengths as they are: lengths on the host
    are an error then (get_clamped_target_length in LossCTC.cpp).
    """
    real = torch.ctc_loss

    def on_host(lengths: Any, most: int) -> Any:
        if not isinstance(lengths, torch.Tensor):
            return lengths
        known = values.known(lengths) if isinstance(lengths, FakeTensor) else lengths
        if known is None:
            values.count("lengths of CTC loss taken as the most that there can be")
            return [most] * lengths.numel()
        return known.tolist()

    @functools.wraps(real)
    def loss(log_probs: Any, targets: Any, inputs: Any, lengths: Any, *args: Any, **kwargs: Any) -> Any:
        given = [each for each in (inputs, lengths) if isinstance(each, torch.Tensor)]
        inputs, lengths = on_host(inputs, log_probs.size(0)), on_host(lengths, targets.size(-1))
        blank, reduction = (*args, *_CTC_DEFAULTS[len(args) :])[:2]
        blank, reduction = kwargs.get("blank", blank), kwargs.get("reduction", reduction)
        if len(given) == 2 and not blank and _is_for_cudnn(log_probs, targets, given, inputs, lengths):
            if reduction == _MEAN and any(each.device.type == "cpu" for each in given):
                raise RuntimeError(_TWO_DEVICES)
            values.count("CTC loss of cuDNN taken as torch's own")
        return real(log_probs, targets, inputs, lengths, *args, **kwargs)

    torch.ctc_loss = loss  # type: ignore[assignment]


_CTC_DEFAULTS = (0, 1)
"""No class but the first is blank, and the losses' mean is taken."""

_MEAN = 1

_TWO_DEVICES = (
    "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!"
)


def _one_hot() -> None:
    """Zeros into which ones are put, as on CUDA; fakes would be compared with each class (Onehot.cpp)."""
    real = functional.one_hot

    @functools.wraps(real)
    def one_hot(tensor: Any, num_classes: int = -1) -> Any:
        is_such = isinstance(tensor, FakeTensor) and tensor.device.type == "cuda"
        if not is_such or tensor.dtype is not torch.int64 or not tensor.numel():
            return real(tensor, num_classes)
        classes = int(tensor.max().item()) + 1 if num_classes == -1 else num_classes
        out = torch.zeros((*tensor.shape, classes), dtype=torch.int64, device=tensor.device)
        return out.scatter_(-1, tensor.unsqueeze(-1), 1)

    functional.one_hot = one_hot


def _is_for_cudnn(
    log_probs: Any, targets: Any, given: list[Any], inputs: list[int], lengths: list[int]
) -> bool:
    """Whether cuDNN takes a loss of lengths in tensors (_use_cudnn_ctc_loss_tensor, cudnn/LossCTC.cpp)."""
    return (
        torch.backends.cudnn.enabled
        and log_probs.device.type == "cuda"
        and log_probs.dtype == torch.float32
        and log_probs.dim() == 3
        and targets.dim() == 1
        and targets.is_contiguous()
        and all(each.dtype == torch.int32 for each in (targets, *given))
        and all(target < 256 and target <= steps for target, steps in zip(lengths, inputs, strict=False))
    )


# --- data and files -------------------------------------------------------------------------------------


def _loaders(note: Note) -> None:
    real = DataLoader.__init__
    signature = inspect.signature(real)

    @functools.wraps(real)
    def plain(loader: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(loader, *args, **kwargs)
        if bound.arguments.get("num_workers"):
            note("DataLoader: batches are made in the process of the script, without workers")
        for name, value in _LOADER.items():
            if name in bound.arguments:
                bound.arguments[name] = value
        real(*bound.args, **bound.kwargs)

    DataLoader.__init__ = plain  # type: ignore[method-assign, assignment]


def _make(size: Any, stride: Any, dtype: Any, device: Any, needs_grad: bool, parameter: bool) -> Any:
    """A fake tensor that was saved: everything but its values."""
    tensor: Any = torch.empty_strided(size, stride, dtype=dtype, device=device)
    if parameter:
        return torch.nn.Parameter(tensor, needs_grad)
    return tensor.requires_grad_(needs_grad) if needs_grad else tensor


def _reduce(tensor: Any, protocol: Any) -> Any:
    shape = tuple(tensor.shape), tuple(tensor.stride()), tensor.dtype
    parameter = isinstance(tensor, torch.nn.Parameter)
    return _make, (*shape, str(tensor.device), tensor.requires_grad and tensor.is_leaf, parameter)


def _files() -> None:
    FakeTensor.__reduce_ex__ = _reduce  # type: ignore[method-assign]
    torch.serialization.add_safe_globals([_make])
    real = torch.load

    @functools.wraps(real)
    def load(f: Any, map_location: Any = None, *args: Any, **kwargs: Any) -> Any:
        there = _device_of(map_location)
        loaded = real(f, "cpu" if there is not None else map_location, *args, **kwargs)
        return tree_map_only(torch.Tensor, lambda tensor: tensor.to(there), loaded) if there else loaded

    torch.load = torch.serialization.load = load


def _device_of(location: Any) -> torch.device | None:
    """The one device to which everything is loaded, if `location` names one."""
    if isinstance(location, (str, torch.device)):
        return torch.device(location)
    return None


def _compile(note: Note) -> None:
    def eager(model: Any = None, *args: Any, **kwargs: Any) -> Any:
        note("torch.compile: simulated as eager code, the compiled program may need less")
        flex.note_compiled(model)
        return model if model is not None else lambda function: function

    torch.compile = eager


# --- tensors --------------------------------------------------------------------------------------------


def _tensors(values: Values) -> None:
    tensor: Any = torch.Tensor
    form, to_list, to_numpy = tensor.__format__, tensor.tolist, tensor.numpy

    def formatted(self: Any, spec: str) -> str:
        if isinstance(self, FakeTensor) and self.dim() == 0:
            return str(format(self.item(), spec))
        return str(form(self, spec))

    def listed(self: Any) -> Any:
        return to_list(values.on_host(self, self.dtype) if isinstance(self, FakeTensor) else self)

    def as_array(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(self, FakeTensor):
            return to_numpy(self, *args, **kwargs)
        if self.device.type == "cuda":
            raise TypeError(
                f"can't convert {self.device} device type tensor to numpy. "
                "Use Tensor.cpu() to copy the tensor to host memory first."
            )
        return torch.zeros(self.shape, dtype=self.dtype).numpy()

    address = torch.UntypedStorage.data_ptr

    def data_ptr(self: Any) -> int:
        # Checkpoints are searched for tensors that share memory: a fake has an address of its own.
        return address(self) or (storage_key(self) if self.nbytes() else 0)

    torch.UntypedStorage.data_ptr = data_ptr  # type: ignore[method-assign]
    tensor.__format__ = formatted
    tensor.tolist = FakeTensor.tolist = listed  # type: ignore[method-assign]
    tensor.numpy = as_array
    for name, value in (("isfinite", True), ("isnan", False), ("isinf", False)):
        taken = _taken_as(getattr(torch, name), name, value, values)
        setattr(torch, name, taken)
        setattr(tensor, name, taken)


def _taken_as(real: Callable[..., Any], name: str, value: bool, values: Values) -> Callable[..., Any]:
    def answer(tensor: Any, *args: Any, **kwargs: Any) -> Any:
        out = real(tensor, *args, **kwargs)
        if isinstance(out, FakeTensor) and values.known(out) is None and ranges.known(out) is None:
            # A range has no NaN, and what came from the host finite is so there too.
            if ranges.known(tensor) is None or name == "isinf":
                values.count(f"{name}() taken as {str(value).lower()}")
            ends = torch.tensor(value)
            ranges.keep(out, (ends, ends))
            values.keep(out, ends.reshape((1,) * out.dim()).expand(out.shape))
        return out

    return answer
