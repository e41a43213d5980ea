from collections import OrderedDict

import torch


class StatValue:
    def __init__(self):
        self.clear()

    def clear(self):
        self.val = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum = self.sum + val * n
        self.count += n


class TrackTrainer:
    def __init__(self, actor, loaders, optimizer, settings):
        self.actor = actor
        self.loaders = loaders
        self.optimizer = optimizer
        self.settings = settings
        self.stats = OrderedDict({loader.name: None for loader in loaders})

    def cycle_dataset(self, loader):
        self.actor.train(loader.training)
        torch.set_grad_enabled(loader.training)
        for i, data in enumerate(loader, 1):
            loss, stats = self.actor(data)
            if loader.training:
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            self._update_stats({"Loss/total": loss}, loader.batch_size, loader)  #! MEM105

    def _update_stats(self, new_stats: "OrderedDict", batch_size, loader):
        if self.stats[loader.name] is None:
            self.stats[loader.name] = OrderedDict({name: StatValue() for name in new_stats})
        for name, val in new_stats.items():
            if name not in self.stats[loader.name]:
                self.stats[loader.name][name] = StatValue()
            self.stats[loader.name][name].update(val, batch_size)  #= MEM105
