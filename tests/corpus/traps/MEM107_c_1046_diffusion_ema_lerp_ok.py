import copy

import torch
import torch.nn as nn
from accelerate import Accelerator


class EMA:
    def __init__(self, model, beta=0.995, step_start=2000):
        self.model = copy.deepcopy(model).eval().requires_grad_(False)
        self.beta, self.n, self.start = beta, 0, step_start

    def update_average(self, old, new):
        return new if old is None else old * self.beta + (1 - self.beta) * new

    def update(self, current):
        self.n += 1
        if self.n < self.start:
            self.model.load_state_dict(current.state_dict())
            return
        for c, m in zip(current.parameters(), self.model.parameters()):
            old, up = m.data, c.data
            m.data = self.update_average(old, up)


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(65, 256), nn.SiLU(), nn.Linear(256, 64))

    def forward(self, x, t):
        return self.net(torch.cat([x, t[:, None].float()], 1))


@torch.no_grad()
def p_sample_loop(model, shape, steps, device):
    x, frames = torch.randn(shape, device=device), []
    for i in reversed(range(steps)):
        t = torch.full((shape[0],), i, device=device)
        x = x - 0.01 * model(x, t) + 0.001 * torch.randn_like(x)
        if i % 100 == 0:
            frames.append(x.cpu())
    return frames


def train(loader, timesteps=1000):
    acc = Accelerator(gradient_accumulation_steps=2)
    model = Denoiser()
    opt = torch.optim.Adam(model.parameters(), 8e-5)
    model, opt, loader = acc.prepare(model, opt, loader)
    ema = EMA(acc.unwrap_model(model))
    for step, x in enumerate(loader):
        with acc.accumulate(model):
            t = torch.randint(0, timesteps, (len(x),), device=x.device)
            noise = torch.randn_like(x)
            loss = nn.functional.l1_loss(model(x + noise, t), noise)
            acc.backward(loss)
            acc.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
        ema.update(acc.unwrap_model(model))
        if step % 1000 == 0:
            p_sample_loop(ema.model, (16, 64), timesteps, x.device)
