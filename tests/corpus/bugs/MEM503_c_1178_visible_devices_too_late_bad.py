"""The GPU is chosen after something asked for it: in the defaults of the options, and in a TF script."""
import argparse
import os

import torch


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    p.add_argument("--gpus", default="0")
    return p.parse_args()


class Experiment:
    def __init__(self):
        self.args = options()
        os.environ["CUDA_VISIBLE_DEVICES"] = self.args.gpus  #! MEM503
        self.net = torch.nn.LSTM(8, 8).to(self.args.device)
        self.opt = torch.optim.Adam(self.net.parameters())

    def run(self):
        for _ in range(5):
            self.opt.zero_grad()
            self.net(torch.rand(3, 2, 8, device=self.args.device))[0].sum().backward()
            self.opt.step()


if __name__ == "__main__":
    Experiment().run()
