# a logger whose update() calls item() on every keyword

from collections import defaultdict, deque

import torch


class SmoothedValue:
    def __init__(self, window_size=20):
        self.deque = deque(maxlen=window_size)
        self.total, self.count = 0.0, 0

    def update(self, value, n=1):
        self.deque.append(value)
        self.count += n
        self.total += value * n


class MetricLogger:
    def __init__(self):
        self.meters = defaultdict(SmoothedValue)

    def update(self, **kwargs):
        for k, v in kwargs.items():
            if isinstance(v, torch.Tensor):
                v = v.item()
            assert isinstance(v, (float, int))
            self.meters[k].update(v)


metric_logger = MetricLogger()
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters())
for x in torch.randn(20, 8, 4):
    loss_dict = {"a": model(x).pow(2).mean(), "b": model(x).abs().mean()}
    losses = sum(loss_dict.values())
    optimizer.zero_grad()
    losses.backward()
    optimizer.step()
    metric_logger.update(loss=losses, **loss_dict)
    metric_logger.update(lr=optimizer.param_groups[0]["lr"])
