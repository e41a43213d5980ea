import os

import torch


class Config:
    gpus = "2,3"
    lr = 1e-4


class Trainer:
    def __init__(self, cfg):
        os.environ["CUDA_VISIBLE_DEVICES"] = cfg.gpus
        self.cfg = cfg
        self.net = torch.nn.TransformerEncoderLayer(512, 8).cuda()
        self.opt = torch.optim.Adam(self.net.parameters(), cfg.lr)

    def train(self, steps):
        for _ in range(steps):
            self.opt.zero_grad()
            self.net(torch.randn(10, 4, 512, device="cuda:1")).mean().backward()
            self.opt.step()


if __name__ == "__main__":
    Trainer(Config()).train(10)
