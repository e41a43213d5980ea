from typing import List, NamedTuple

import torch
from torch import Tensor, nn


class StepOutput(NamedTuple):
    loss: Tensor
    logits: Tensor
    n: int


class SpeakerNet(nn.Module):
    def __init__(self, feats: int, emb: int, speakers: int) -> None:
        super().__init__()
        self.tdnn = nn.Sequential(nn.Conv1d(feats, 256, 5), nn.ReLU(), nn.Conv1d(256, emb, 3, dilation=2), nn.ReLU())
        self.cls = nn.Linear(2 * emb, speakers)

    def forward(self, x: Tensor) -> Tensor:
        h = self.tdnn(x)
        return self.cls(torch.cat([h.mean(-1), h.std(-1)], -1))


def training_step(model: nn.Module, batch, opt: torch.optim.Optimizer) -> StepOutput:
    x, y = batch
    logits = model(x)
    loss = nn.functional.cross_entropy(logits, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return StepOutput(loss, logits, y.numel())


def epoch_summary(outs: List[StepOutput]) -> str:
    n = sum(o.n for o in outs)
    return f"loss {sum(float(o.loss) * o.n for o in outs) / n:.4f} over {n}"


def main(loader, epochs: int = 10) -> None:
    model = SpeakerNet(40, 512, 1211)
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(epochs):
        outs: List[StepOutput] = []
        for batch in loader:
            outs.append(training_step(model, batch, opt))  #! MEM102
        print(epoch, epoch_summary(outs))
