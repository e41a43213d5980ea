# Tracker training: the actor returns its losses under names, the trainer keeps a meter for each.
from collections import OrderedDict

import torch
from torch import nn


class AverageMeter:
    def __init__(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n  #= MEM105
        self.count += n
        self.avg = self.sum / self.count


class Actor:
    def __init__(self, net):
        self.net = net

    def __call__(self, data):
        score, box = self.net(data["crops"]).split([1, 4], 1)
        loss_cls = nn.functional.binary_cross_entropy_with_logits(score.squeeze(1), data["label"])
        loss_box = nn.functional.smooth_l1_loss(box, data["box"])
        loss = loss_cls + 2 * loss_box
        stats = {"Loss/total": loss, "Loss/cls": loss_cls, "Loss/box": loss_box}
        return loss, stats


class LTRTrainer:
    def __init__(self, actor, loaders, optimizer):
        self.actor, self.loaders, self.optimizer = actor, loaders, optimizer
        self.stats = OrderedDict({name: None for name in loaders})

    def _update_stats(self, new_stats, batch_size, name):
        if self.stats[name] is None:
            self.stats[name] = OrderedDict({key: AverageMeter() for key in new_stats})
        for key, val in new_stats.items():
            if key not in self.stats[name]:
                self.stats[name][key] = AverageMeter()
            self.stats[name][key].update(val, batch_size)  #= MEM105

    def cycle_dataset(self, name):
        for data in self.loaders[name]():
            loss, stats = self.actor(data)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self._update_stats(stats, len(data["label"]), name)  #! MEM105

    def train(self, epochs):
        for epoch in range(epochs):
            for name in self.loaders:
                self.cycle_dataset(name)
            print(epoch, {k: float(v.avg) for k, v in self.stats["train"].items()})


def crops(n=100):
    for _ in range(n):
        yield {"crops": torch.randn(8, 50), "label": torch.rand(8).round(), "box": torch.rand(8, 4)}


net = nn.Sequential(nn.Linear(50, 80), nn.ReLU(), nn.Linear(80, 5))
LTRTrainer(Actor(net), {"train": crops}, torch.optim.Adam(net.parameters())).train(3)
