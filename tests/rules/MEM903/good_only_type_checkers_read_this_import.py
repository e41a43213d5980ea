# only type checkers read this import

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch.cuda.amp import GradScaler


def step(scaler: GradScaler, loss: torch.Tensor) -> None:
    scaler.scale(loss).backward()
