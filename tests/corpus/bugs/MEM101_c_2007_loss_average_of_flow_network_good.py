# Generative flow over a grid: the loss of final and of other states is averaged for the log.
import numpy as np
import torch
import torch.nn as nn


class FlowAgent:
    def __init__(self, dim=8, hidden=64, lr=1e-3, ema_alpha=0.5):
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.LeakyReLU(), nn.Linear(hidden, dim + 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr)
        self.alpha = ema_alpha
        self.loss_term_ema = None
        self.loss_flow_ema = None
        self.dim = dim

    def flow_match(self, states, done):
        flows = self.net(states).logsumexp(1)
        gap = (flows - states.sum(1)).pow(2)
        term_loss = gap[done].mean()
        flow_loss = gap[~done].mean()
        loss = term_loss * done.float().mean() + flow_loss * (~done).float().mean()
        return loss, term_loss, flow_loss

    def train(self, n_iters=300):
        for it in range(n_iters):
            states = torch.rand(64, self.dim)
            done = torch.arange(64) < 20
            losses = self.flow_match(states, done)
            self.opt.zero_grad()
            losses[0].backward()
            self.opt.step()
            if self.loss_term_ema is None:
                self.loss_term_ema = losses[1].item()
                self.loss_flow_ema = losses[2].item()
            self.loss_term_ema = self.alpha * losses[1].item() + (1.0 - self.alpha) * self.loss_term_ema
            self.loss_flow_ema = self.alpha * losses[2].item() + (1.0 - self.alpha) * self.loss_flow_ema
            if not it % 50:
                print(it, np.round(float(losses[0]), 4), float(self.loss_term_ema), float(self.loss_flow_ema))


FlowAgent().train()
