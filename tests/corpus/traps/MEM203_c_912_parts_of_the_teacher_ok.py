"""Asking the teacher for its decoder is no forward pass; the one that follows records nothing."""

import torch
from torch.nn import functional as F


class Distiller:
    def __init__(self, student: torch.nn.Module, teacher: torch.nn.Module):
        self.student, self.teacher = student, teacher

    def loss(self, batch):
        self.teacher.eval()
        if hasattr(self.teacher, "get_decoder") and self.teacher.get_decoder() is not None:
            base = self.teacher.get_decoder()
        else:
            base = self.teacher
        with torch.no_grad():
            wanted = base(batch["ids"]).logits.softmax(-1)
        return F.kl_div(self.student(batch["ids"]).logits.log_softmax(-1), wanted)


def train(loader, distiller, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        distiller.loss(batch).backward()
        optimizer.step()
