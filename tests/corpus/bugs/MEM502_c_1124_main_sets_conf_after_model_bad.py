"""In a trainer class: the configuration object is applied after the networks are there."""
import os

import torch


class Config:
    alloc = "max_split_size_mb:512"
    gpus = "2,3"
    lr = 1e-4


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = torch.nn.TransformerEncoderLayer(512, 8).cuda()
        self._env()
        self.opt = torch.optim.Adam(self.net.parameters(), cfg.lr)

    def _env(self):
        os.environ["PYTORCH_CUDA_ALLOC_CONF"] = self.cfg.alloc  #! MEM502
        os.environ["CUDA_VISIBLE_DEVICES"] = self.cfg.gpus  #! MEM503

    def train(self, steps):
        for _ in range(steps):
            self.opt.zero_grad()
            self.net(torch.randn(10, 4, 512, device="cuda")).mean().backward()
            self.opt.step()


if __name__ == "__main__":
    Trainer(Config()).train(10)
