import torch
from .base import TrainerBase
from .mixins import CheckpointMixin


class DetTrainer(CheckpointMixin, TrainerBase):
    def run_step(self, i, batch):
        loss = self.net(batch).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        if i % 20 == 0:
            print(self.epoch, loss.data[0])  #! MEM902

    def after_epoch(self):
        super().after_epoch()
        self.save()
