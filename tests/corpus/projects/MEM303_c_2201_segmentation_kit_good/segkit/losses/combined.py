import torch.nn as nn

from .dice import DiceLoss


class SegLoss(nn.Module):
    def __init__(self, aux_weight=0.4):
        super().__init__()
        self.ce, self.dice = nn.CrossEntropyLoss(ignore_index=255), DiceLoss()
        self.aux_weight = aux_weight

    def forward(self, outputs, target):
        main, aux = outputs
        parts = {"ce": self.ce(main, target), "dice": self.dice(main, target), "aux": self.ce(aux, target)}
        total = parts["ce"] + parts["dice"] + self.aux_weight * parts["aux"]
        return total, parts
