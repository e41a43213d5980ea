"""Declares the operators that torchvision describes on import, where its kernels fit another torch."""

import torch

_BOXES = "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"
for _name in ("nms", "qnms"):
    torch.library.define(f"torchvision::{_name}", _BOXES)
