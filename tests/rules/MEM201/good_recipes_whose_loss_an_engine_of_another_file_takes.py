# a helper gives its result to a step of validation, and to one whose loss an engine out of view trains on

import torch
import torch.nn.functional as F
from torch import nn


class Causal:
    def _run(self, model, batch, cfg):
        x, labels = batch["tokens"][:, :-1], batch["tokens"][:, 1:]
        memory, pieces = None, []
        for start in range(0, x.shape[1], cfg.segment):
            logits, memory = model.forward_with_mems(x[:, start : start + cfg.segment], memory)
            pieces.append(logits)
        logits = torch.cat(pieces, dim=1)
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten()), logits

    def batch_to_loss(self, model, batch, cfg):
        loss, _ = self._run(model, batch, cfg)
        return loss, {"loss": float(loss.detach())}

    def validation_step(self, model, batch, cfg):
        loss, _ = self._run(model, batch, cfg)
        return {"loss": float(loss.detach())}


class Distil:
    def _outputs(self, model, teacher, batch):
        teacher.eval()
        teacher.requires_grad_(False)
        student = model.forward_pretraining(batch["tokens"])
        with torch.no_grad():
            goal = teacher.forward_pretraining(batch["tokens"])
        return student, goal

    def _loss(self, model, teacher, batch):
        student, goal = self._outputs(model, teacher, batch)
        return F.kl_div(student["logits"], goal["logits"])

    def objective(self, model, teacher, batch):
        return self._loss(model, teacher, batch)

    def validation_step(self, model, teacher, batch):
        return float(self._loss(model, teacher, batch).detach())


net = nn.Linear(16, 1000)


def scores(batches):
    found = []
    for batch in batches:
        found.append(net(batch).log_softmax(1))
    return torch.cat(found)


def likelihood(batches, labels):
    return -scores(batches)[torch.arange(len(labels)), labels].mean()


def accuracy(batches, labels):
    return (scores(batches).argmax(1) == labels).float().mean().item()
