"""What cuDNN's convolutions work in, as an H200 with cuDNN 9.19 showed for 548 shapes.

`python -m benchmarks.simulated.convolutions` holds the rules against what was measured. Which kernel cuDNN
takes is its secret; what each kind of kernel asks for follows from the shapes:

- Kernels of tensor cores want channels last and, for the channels that they read, multiples of 16 bytes (of
  four numbers in float32). What is not laid out so is copied: the input, the weights, the output.
- The gradient of the weights is a sum over all images and positions. Few weights would leave most
  multiprocessors idle, so each sums up its part, in float32, and the parts are added.
- In float32, small convolutions are done by transforms (of Winograd or Fourier) or without tensor cores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch

from memlint.runtime.cards import Card
from memlint.runtime.simulate.private import operator
from memlint.runtime.simulate.questions import QUESTIONS
from memlint.runtime.simulate.scratch.native import Sizes, reduction

FORWARD, BACKWARD = operator("convolution.default"), operator("convolution_backward.default")

LAYOUTS = {4: torch.channels_last, 5: torch.channels_last_3d}
"""How channels lie side by side, by the number of dimensions."""

_TILE = 128
"""Rows and columns of the weights' gradient that one multiprocessor sums up at once."""

_NARROW = 32
"""Channels below which kernels of tensor cores may not pay in float32."""

_MANY = 1 << 15
"""Positions of all images from which on they pay for narrow ones."""

_LARGE = 7
"""The side of a kernel from which on they pay for images."""

_AT_ONCE = 64
"""Images that are worked on at once."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One convolution that reads `inside` and gives `outside`.

    Of a transposed one, both are exchanged, as are its forward pass and the gradient of its input.

    `inside`, `weights` and `outside` are bytes; `reads` and `gives` are channels of one group, `length` is
    the longest side of the input with its padding, `pixels` are positions of the output of all images; `half`
    is any type of two bytes, `last` says that channels are side by side.
    """

    inside: int
    weights: int
    outside: int
    half: bool
    bfloat: bool
    last: bool
    reads: int
    gives: int
    groups: int
    kernel: tuple[int, ...]
    stride: int
    dilation: int
    images: int
    length: int
    pixels: int

    @property
    def size(self) -> int:
        """The longest side of the kernel."""
        return max(self.kernel)

    @property
    def whole(self) -> int:
        """Bytes of the weights in float32."""
        return self.weights * (2 if self.half else 1)

    @property
    def few(self) -> bool:
        """Whether it reads images and the like, for which there are other kernels."""
        return self.groups == 1 and self.reads < self._unit

    @property
    def depthwise(self) -> bool:
        """Whether each channel is a group: torch has its own kernels."""
        return self.groups > 1 and self.reads == 1

    @property
    def patches(self) -> bool:
        """Whether no number of the input is read twice."""
        return self.stride >= self.size > 1

    @property
    def _unit(self) -> int:
        """As many channels as tensor cores read at once: 16 bytes."""
        return 8 if self.half else 4

    @property
    def _single(self) -> bool:
        """Whether it is a product of matrices as it stands, with rows that begin at 16 bytes or are short."""
        aligned = self.pixels // self.images % 4 == 0 or self.reads * self.gives < 1 << 20
        return self.size == self.stride == 1 and (self.last or aligned)

    @property
    def _large(self) -> bool:
        """Whether tensor cores pay for images: with large kernels, and with volumes."""
        return len(self.kernel) == 3 or (len(self.kernel) == 2 and self.size >= _LARGE)

    @property
    def _narrow(self) -> bool:
        """Whether so few channels of float32 are read that tensor cores may not pay."""
        return not self.half and self.groups == 1 and self.reads < _NARROW

    @property
    def _filled(self) -> float:
        """By how much what is read grows where channels are filled up."""
        return math.ceil(self.reads / self._unit) * self._unit / self.reads if self.groups == 1 else 1.0

    def _copies(self, filled: float, *, outside: bool = True) -> int:
        """Bytes of copies with channels last, and filled up; weights of single positions are laid out so."""
        if self.last and filled == 1:
            return 0
        read = self.inside + (self.weights if self.size > 1 else 0)
        return int(read * filled) + (self.outside if outside and not self.last else 0)

    def _all(self) -> int:
        return self.inside + self.outside + self.weights

    def forward(self) -> int:
        """Bytes for the output."""
        if self.depthwise or self._single or (self.size == 1 and self.reads < _TILE):
            return 0
        if self.few:
            strided = self.half and self.size > 3 and 1 < self.stride < self.size
            if not (self._large or strided) or len(self.kernel) == 3:
                return 0
            return self._copies(self._filled if self.half or self.last else 1)
        if self._narrow and (self.pixels < _MANY or (self.gives > self.reads and not self._large)):
            return 0
        # The output of small ones is written as it is to be.
        direct = self.reads < min(_TILE, self.gives, self.pixels / 256) and self.size < _LARGE
        return self._copies(self._filled, outside=self.half or self.groups > 1 or not direct)

    def input(self) -> int:
        """Bytes for the gradient of the input."""
        if self.depthwise or self._single or (self.size == 1 and self.reads < 2 * _TILE and not self.half):
            return 0
        if self.few or (self.reads <= 4 and self.groups == 1):
            if self.half:
                return 0 if self.patches else self._copies(self._filled)
            wide = self.stride > 1 or self.size > 3
            return 0 if not self.last else self._all() if wide else self._copies(self._filled)
        slim = self.groups > 1 and self.reads < 8 and not self.half
        return 0 if slim or (self._narrow and self.pixels < _MANY) else self._copies(self._filled)

    def weight(self, processors: int) -> int:
        """Bytes for the gradient of the weights."""
        if self.depthwise:
            return self._depthwise()
        if self.groups > 1:
            return 0 if self.half and (self.last or self.reads < 8) else self._all()
        if self.few and not (self.bfloat or self._large or (self.half and (self.size > 3 or not self.last))):
            return 0
        if self._single and not self.last and self._by_image():
            return self.whole * min(self.images, _AT_ONCE)
        return self._transformed() or self._gathered() + self._parts(processors)

    def _gathered(self) -> int:
        """Bytes of copies for the gradient of the weights."""
        if self.half or not self.last:
            return self._copies(self._filled)
        wide = self.reads >= (_NARROW if self.pixels > _MANY and len(self.kernel) < 3 else 2 * _NARROW)
        return 0 if wide or self.size == 1 else int(self.inside * self._filled) + self.outside + self.weights

    def _depthwise(self) -> int:
        """With channels last: sums of eight parts of each image, or copies for large kernels."""
        if not self.last:
            return self.inside + self.outside if self._turned_by_cudnn() else 0
        if self.size < _LARGE and not self.bfloat:
            return 0
        if self.half:
            return 8 * self.images * self.whole
        return 8 * self.inside + (10 << 20) if self.pixels // self.images >= 28 * 28 else 0

    def _turned_by_cudnn(self) -> bool:
        """Whether cuDNN gets it, in float16, and copies it: many positions of many images.

        See use_cudnn_depthwise in ATen/native/Convolution.cpp.
        """
        plain = self.stride == self.dilation == 1 and self.kernel in ((3, 3), (5, 5))
        if not plain or not self.half or self.bfloat or self.groups < _NARROW:
            return False
        positions = self.pixels // self.images
        return positions >= 28 * 28 and self.images**2 * positions >= (32 * 28) ** 2

    def _by_image(self) -> bool:
        """Whether a product of matrices is made for each image, and all are added."""
        both = self.reads * self.gives
        if not self.half:
            narrow = self.reads <= _NARROW and self.images < _AT_ONCE
            return not narrow and (both <= 1 << 18 or self.images * both <= 1 << 22)
        if self.pixels // self.images % 4:
            return self.reads < self.gives and both < 1 << 19
        return both < 1 << 18

    def _transformed(self) -> int:
        """Bytes of what is transformed after Fourier or Winograd in float32, 0 where it is not."""
        plain = self.stride == self.dilation == 1 and len(self.kernel) == 2 and self.size > 1
        if self.half or self.last or not plain or self.reads < _NARROW // 2:
            return 0
        both = self.reads + self.gives
        if self._is_for_fourier():
            side = 1 << (self.length - 1).bit_length()
            return 2 * self.images * both * side * (side // 2 + 1) * 8 + self.outside
        few = self.images <= 16 and self.pixels <= _MANY // 4 and self.reads == self.gives <= 2 * _TILE
        small = few or (self.pixels < _MANY // 2 and both <= _TILE)
        if self.size == 3 and self.reads >= _NARROW and small:
            tiles = self.images * math.ceil(math.sqrt(self.pixels / self.images) / 4) ** 2
            return 36 * 4 * tiles * both + 4 * self.weights
        return 0

    def _is_for_fourier(self) -> bool:
        """With many images of few channels; with more of both, tensor cores are faster."""
        if self.images < _AT_ONCE or max(self.reads, self.gives) > _AT_ONCE:
            return False
        if self.size > 3:
            return self.reads >= _NARROW
        least = _MANY // 2 if self.reads >= _NARROW else 256 * self.gives**2
        return self.pixels >= least and (self.gives <= _NARROW or self.pixels < 5 * _MANY // 4)

    def _parts(self, processors: int) -> int:
        """Bytes of the parts, as many as keep all multiprocessors busy and are worth adding."""
        if self.few and self.patches and not self.half:
            return 0
        taps, small, great = math.prod(self.kernel), *sorted((self.reads, self.gives))
        rows = math.ceil(taps * self._unit / _TILE) if self.few else taps * math.ceil(small / _TILE)
        tiles = rows * math.ceil(great / (2 * _TILE if self.half else _TILE))
        if self.size == self.stride == 1 and self.last:
            least, most = (1536, processors // 2) if self.half else (64, 2 * processors)
        else:
            least, most = (8192 if self.half and not self.few else 1024), processors
        if not self.half and processors < tiles < processors * 9 // 8 and self.pixels >= least:
            return 4 * _TILE * _TILE * processors
        parts = min(most // tiles, self.pixels // least, 13 if self.half and not self.few else most)
        return int(self.whole * self._filled) * parts if parts > 1 else 0


def convolution(card: Card, func: Any, args: Any, out: Any) -> list[Sizes]:
    """What torch and cuDNN take for a convolution, in one round after another.

    Nothing is known of cards before compute capability 8.0, which have no tensor cores for float32, nor of
    float64.
    """
    backward = func is BACKWARD
    (x, weights), y = (args[1:3], args[0]) if backward else (args[:2], out)
    options = args[4:] if backward else args[3:]
    stride, padding, dilation, transposed, _, groups = options[:6]
    cudnn: Any = torch.backends.cudnn
    half = x.dtype in (torch.float16, torch.bfloat16)
    if not cudnn.enabled or not (half or x.dtype is torch.float32) or not x.numel() or not y.numel():
        return []
    if not QUESTIONS.of(card, "at least 8.0"):
        return []
    last = any(is_channels_last(each) for each in (x, weights))
    layout = LAYOUTS[x.dim()] if last else torch.contiguous_format
    # What is laid out otherwise is copied before (contiguous() in ATen/native/Convolution.cpp).
    needed = (*((x,) if not backward or args[-1][1] else ()), *((y,) if backward else ()))
    copied = [_bytes(each) for each in needed if not each.is_contiguous(memory_format=layout)]
    rounds: list[Sizes] = [copied] if copied else []
    if half or cudnn.allow_tf32:
        inside, outside = (y, x) if transposed else (x, y)
        # A transposed one has its weights the other way round: they are those of what it is the gradient of.
        gives, reads, *kernel = weights.shape
        shape = Shape(
            _bytes(inside), _bytes(weights), _bytes(outside), half, x.dtype is torch.bfloat16, last,
            reads, gives // groups, groups, tuple(kernel), max(stride), max(dilation), x.size(0),
            max(side + 2 * more for side, more in zip(inside.shape[2:], _each(padding, kernel), strict=True)),
            outside.numel() // max(outside.size(1), 1),
        )  # fmt: skip
        passes = [shape.input() if transposed else shape.forward()]
        if backward:
            first = shape.forward() if transposed else shape.input()
            weight = QUESTIONS.by_processors(card, shape.weight) if args[-1][1] else 0
            passes = [first if args[-1][0] else 0, weight]
        rounds = [[*copied, size] for size in passes if size] or rounds
    if backward and args[-1][2]:
        rounds.append(reduction(card, y, [dim for dim in range(y.dim()) if dim != 1]))
    return rounds


def _bytes(tensor: Any) -> int:
    return int(tensor.numel()) * int(tensor.itemsize)


def _each(padding: Any, kernel: Any) -> Any:
    return padding if len(padding) == len(kernel) else list(padding) * len(kernel)


def is_channels_last(tensor: Any) -> bool:
    """Whether images or volumes have their channels side by side in memory, and are not plain too.

    A single channel is both: torch goes by its stride (is_channels_last_strides_2d in MemoryFormat.h).
    """
    layout = LAYOUTS.get(tensor.dim())
    if layout is None or not tensor.is_contiguous(memory_format=layout):
        return False
    if tensor.size(1) == 1:
        return bool(tensor.stride(1) == 1 and math.prod(tensor.shape[2:]) > 1)
    return not tensor.is_contiguous()
