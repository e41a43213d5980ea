import math
from typing import Iterable, Tuple

import torch
from torch import Tensor, nn


class LanguageModelRunner:
    def __init__(self, model: nn.Module, vocab: int, device: torch.device) -> None:
        self.model = model
        self.vocab = vocab
        self.device = device

    def _loss(self, tokens: Tensor, labels: Tensor) -> Tensor:
        logits = self.model(tokens)  #= MEM201
        return nn.functional.cross_entropy(logits.reshape(-1, self.vocab), labels.reshape(-1))

    def train_epoch(self, data: Iterable[Tuple[Tensor, Tensor]], opt: torch.optim.Optimizer) -> float:
        self.model.train()
        losses = []
        for tokens, labels in data:
            opt.zero_grad()
            loss = self._loss(tokens.to(self.device), labels.to(self.device))
            loss.backward()
            opt.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    def perplexity(self, data: Iterable[Tuple[Tensor, Tensor]]) -> float:
        self.model.eval()
        total, n = 0.0, 0
        for tokens, labels in data:
            loss = self._loss(tokens.to(self.device), labels.to(self.device))  #! MEM201
            total += loss.item()
            n += 1
        return math.exp(total / max(n, 1))
