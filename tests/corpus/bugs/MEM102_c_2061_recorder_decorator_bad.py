# What a decorated step returns goes into a log that lives as long as the process.
import functools
from collections import defaultdict

import torch
from torch import nn

LOG = defaultdict(list)


def recorded(step):
    @functools.wraps(step)
    def wrapper(*args, **kwargs):
        out = step(*args, **kwargs)
        for key, value in out.items():
            LOG[key].append(value)  #! MEM102
        return out

    return wrapper


net = nn.Sequential(nn.Linear(9, 90), nn.GELU(), nn.Linear(90, 3))
opt = torch.optim.AdamW(net.parameters(), lr=3e-4)


@recorded
def step(x, y):
    logits = net(x)
    loss = nn.functional.cross_entropy(logits, y, label_smoothing=0.1)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return {"loss": loss, "margin": logits.topk(2).values.diff().mean()}


def main(steps=1000):
    for _ in range(steps):
        x = torch.randn(32, 9)
        step(x, x[:, :3].argmax(1))
    print({k: float(sum(v)) / len(v) for k, v in LOG.items()})


if __name__ == "__main__":
    main()
