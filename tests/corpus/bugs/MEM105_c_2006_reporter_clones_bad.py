# A reporter object in the manner of training libraries: observations first, a summary at the end of the epoch.
from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Iterator

import torch
from torch import Tensor, nn


@dataclass
class Summary:
    values: dict[str, list[Tensor]] = field(default_factory=dict)

    def add(self, observation: dict[str, Tensor]) -> None:
        for key, value in observation.items():
            self.values.setdefault(key, []).append(value)  #= MEM105

    def mean(self, key: str) -> float:
        return float(sum(self.values[key]) / len(self.values[key]))


class Reporter:
    def __init__(self) -> None:
        self.observation: dict[str, Tensor] = {}

    @contextlib.contextmanager
    def scope(self) -> Iterator[dict[str, Tensor]]:
        self.observation = {}
        yield self.observation

    def report(self, **values: Tensor) -> None:
        for key, value in values.items():
            self.observation[key] = value.clone()


def run(steps: int = 200) -> None:
    model = nn.Sequential(nn.Linear(12, 64), nn.Tanh(), nn.Linear(64, 3))
    optimizer = torch.optim.Adam(model.parameters())
    reporter, summary = Reporter(), Summary()
    for _ in range(steps):
        x = torch.randn(16, 12)
        with reporter.scope() as observation:
            loss = nn.functional.mse_loss(model(x), x[:, :3])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            reporter.report(loss=loss, norm=x.norm())
            summary.add(observation)  #! MEM105
    print(summary.mean("loss"), summary.mean("norm"))


run()
