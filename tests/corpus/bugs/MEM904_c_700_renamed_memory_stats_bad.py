import argparse
import logging

import torch as th
import torch.nn as nn
from torch.cuda import reset_max_memory_allocated as reset_peak
from torch.nn.utils.clip_grad import clip_grad_norm

log = logging.getLogger(__name__)


class Runner(object):
    def __init__(self, cfg):
        self.net = nn.LSTM(16, 32).to(cfg.device)
        self.opt = th.optim.Adam(self.net.parameters(), lr=cfg.lr)

    def mem(self):
        return "%.1f/%.1f GB" % (th.cuda.memory_allocated() / 1e9, th.cuda.memory_cached() / 1e9)  #! MEM904

    def fit(self, loader):
        for i, batch in enumerate(loader):
            reset_peak()  #! MEM904
            out, _ = self.net(batch)
            loss = out.pow(2).mean()
            self.opt.zero_grad()
            loss.backward()
            clip_grad_norm(self.net.parameters(), 0.25)  #! MEM904
            self.opt.step()
            log.info("step %d %s", i, self.mem())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--device", default="cuda")
    args = parser.parse_args()
    Runner(args).fit(th.randn(8, 5, 4, 16, device=args.device))
