"""Eight models and their batches, in single precision: what each estimator is asked about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

WORDS, CLASSES = 8192, 10


class Residual(nn.Module):
    """Two convolutions beside a shortcut; halves height and width."""

    def __init__(self, before: int, after: int) -> None:
        super().__init__()
        self.inner = nn.Sequential(
            nn.Conv2d(before, after, 3, 2, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(),
            nn.Conv2d(after, after, 3, 1, 1, bias=False), nn.BatchNorm2d(after),
        )  # fmt: skip
        self.outer = nn.Conv2d(before, after, 1, 2, bias=False)

    def forward(self, images: Tensor) -> Tensor:
        """[batch, before, height, width] to [batch, after, height / 2, width / 2]."""
        return functional.relu(self.inner(images) + self.outer(images))


class Pieces(nn.Module):
    """A transformer over the pieces of an image."""

    def __init__(self, width: int = 384, layers: int = 6) -> None:
        super().__init__()
        self.cut = nn.Conv2d(3, width, 16, 16)
        layer = nn.TransformerEncoderLayer(width, 6, 4 * width, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(width, CLASSES)

    def forward(self, images: Tensor) -> Tensor:
        """[batch, 3, height, width] to [batch, classes]."""
        return self.head(self.layers(self.cut(images).flatten(2).transpose(1, 2)).mean(1))


class Text(nn.Module):
    """A transformer over words, with a score for each word."""

    def __init__(self, width: int = 512, layers: int = 6, *, causal: bool = False) -> None:
        super().__init__()
        self.causal = causal
        self.words = nn.Embedding(WORDS, width)
        layer = nn.TransformerEncoderLayer(width, 8, 4 * width, batch_first=True, norm_first=causal)
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(width, WORDS)

    def forward(self, words: Tensor) -> Tensor:
        """[batch, length] to [batch, words, length]."""
        length = words.shape[1]
        mask = nn.Transformer.generate_square_subsequent_mask(length, device=words.device)
        kept = self.layers(self.words(words), mask=mask if self.causal else None, is_causal=self.causal)
        return self.head(kept).transpose(1, 2)


class Memory(nn.Module):
    """Two recurrent layers over words."""

    def __init__(self, width: int = 256) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, width)
        self.memory = nn.LSTM(width, width, 2, batch_first=True)
        self.head = nn.Linear(width, WORDS)

    def forward(self, words: Tensor) -> Tensor:
        """[batch, length] to [batch, words, length]."""
        return self.head(self.memory(self.words(words))[0]).transpose(1, 2)


class Funnel(nn.Module):
    """A small U-Net: a class for each pixel."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.down = nn.ModuleList([self._pair(3, width), self._pair(width, 2 * width)])
        self.deep = self._pair(2 * width, 4 * width)
        self.up = nn.ModuleList([self._pair(6 * width, 2 * width), self._pair(3 * width, width)])
        self.head = nn.Conv2d(width, CLASSES, 1)

    @staticmethod
    def _pair(before: int, after: int) -> nn.Sequential:
        return nn.Sequential(
            nn.Conv2d(before, after, 3, padding=1), nn.ReLU(inplace=True),
            nn.Conv2d(after, after, 3, padding=1), nn.ReLU(inplace=True),
        )  # fmt: skip

    def forward(self, images: Tensor) -> Tensor:
        """[batch, 3, height, width] to [batch, classes, height, width]."""
        first = self.down[0](images)
        second = self.down[1](functional.max_pool2d(first, 2))
        wide = functional.interpolate(self.deep(functional.max_pool2d(second, 2)), scale_factor=2.0)
        wide = functional.interpolate(self.up[0](torch.cat([wide, second], 1)), scale_factor=2.0)
        return self.head(self.up[1](torch.cat([wide, first], 1)))


def mlp() -> nn.Module:
    """Four wide layers."""
    return nn.Sequential(
        nn.Flatten(), nn.Linear(3 * 32 * 32, 2048), nn.ReLU(), nn.Linear(2048, 2048), nn.ReLU(),
        nn.Linear(2048, 2048), nn.ReLU(), nn.Linear(2048, CLASSES),
    )  # fmt: skip


def resnet() -> nn.Module:
    """Four residual blocks."""
    widths = (3, 64, 128, 256, 512)
    blocks = [Residual(before, after) for before, after in pairwise(widths)]
    return nn.Sequential(*blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, CLASSES))


def vgg() -> nn.Module:
    """Plain convolutions and a large head."""
    layers: list[nn.Module] = []
    for before, after in ((3, 64), (64, 128), (128, 256), (256, 256)):
        layers += [nn.Conv2d(before, after, 3, padding=1), nn.ReLU(inplace=True), nn.MaxPool2d(2)]
    head = (nn.Flatten(), nn.Linear(256 * 64, 1024), nn.ReLU(), nn.Linear(1024, CLASSES))
    return nn.Sequential(*layers, *head)


def vit() -> nn.Module:
    """A transformer over pieces of images."""
    return Pieces()


def gpt() -> nn.Module:
    """A decoder."""
    return Text(causal=True)


def bert() -> nn.Module:
    """An encoder."""
    return Text()


def lstm() -> nn.Module:
    """Recurrent layers."""
    return Memory()


def unet() -> nn.Module:
    """A segmentation."""
    return Funnel()


@dataclass(frozen=True, slots=True)
class Case:
    """A model with its batch: `size` is the side of an image, or the length of a text (`words`)."""

    make: Callable[[], nn.Module]
    batch: int
    size: int
    words: bool = False
    dense: bool = False

    def data(self, device: str) -> tuple[Tensor, Tensor]:
        """Inputs and what is to be predicted of them."""
        if self.words:
            both = torch.randint(0, WORDS, (2, self.batch, self.size), device=device)
            return both[0], both[1]
        shape = (self.batch, self.size, self.size) if self.dense else (self.batch,)
        images = torch.randn(self.batch, 3, self.size, self.size, device=device)
        return images, torch.randint(0, CLASSES, shape, device=device)


CASES = {
    "mlp": Case(mlp, 512, 32),
    "vgg": Case(vgg, 64, 128),
    "resnet": Case(resnet, 64, 224),
    "vit": Case(vit, 32, 224),
    "unet": Case(unet, 8, 256, dense=True),
    "gpt": Case(gpt, 16, 256, words=True),
    "bert": Case(bert, 16, 256, words=True),
    "lstm": Case(lstm, 32, 64, words=True),
}
