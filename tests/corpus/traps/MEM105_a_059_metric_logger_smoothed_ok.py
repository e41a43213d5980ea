import datetime
import time
from collections import defaultdict, deque

import torch


class SmoothedValue:
    def __init__(self, window_size=20):
        self.deque = deque(maxlen=window_size)
        self.total = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.deque.append(value)
        self.count += n
        self.total += value * n

    @property
    def global_avg(self):
        return self.total / self.count


class MetricLogger:
    def __init__(self):
        self.meters = defaultdict(SmoothedValue)

    def update(self, **kwargs):
        for k, v in kwargs.items():
            if isinstance(v, torch.Tensor):
                v = v.item()
            assert isinstance(v, (float, int))
            self.meters[k].update(v)


def train_one_epoch(model, optimizer, loader, device):
    model.train()
    logger = MetricLogger()
    start = time.time()
    for images, targets in loader:
        loss_dict = model([i.to(device) for i in images], targets)
        losses = sum(loss for loss in loss_dict.values())
        optimizer.zero_grad()
        losses.backward()
        optimizer.step()
        logger.update(loss=losses, **loss_dict)
    print(datetime.timedelta(seconds=int(time.time() - start)), logger.meters["loss"].global_avg)
