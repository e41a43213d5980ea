"""PPO updates with a garbage collection each, MPS cache flushed."""
import gc

import torch


class PPO:
    def __init__(self, net, device="mps"):
        self.net, self.device = net.to(device), device
        self.opt = torch.optim.Adam(self.net.parameters())

    def update(self, obs, adv, old):
        for start in range(0, len(obs), 64):
            sl = slice(start, start + 64)
            logp = self.net(obs[sl].to(self.device)).log_softmax(-1)[:, 0]
            loss = -(torch.exp(logp - old[sl].to(self.device)) * adv[sl].to(self.device)).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if self.device == "mps":
                torch.mps.empty_cache()  #! MEM501
            gc.collect()  #! MEM501
