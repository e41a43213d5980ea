import numpy as np
import torch
from torch import nn
from torch.distributions.normal import Normal


class RolloutStorage:
    def __init__(self):
        self.clear()

    def clear(self):
        self.obs, self.act, self.rew, self.done = [], [], [], []


class ActorCritic(nn.Module):
    def __init__(self, o, a):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(o, 64), nn.Tanh(), nn.Linear(64, a))
        self.v = nn.Sequential(nn.Linear(o, 64), nn.Tanh(), nn.Linear(64, 1))
        self.log_std = nn.Parameter(torch.zeros(a))

    def dist(self, o):
        return Normal(self.mu(o), self.log_std.exp())


def rollout(env, ac, horizon, stats):
    buf = RolloutStorage()
    obs = env.reset()
    for t in range(horizon):
        o = torch.from_numpy(obs).float()
        d = ac.dist(o)
        a = d.sample()
        stats["entropy"].append(d.entropy().sum())  #! MEM102
        obs, r, done, _ = env.step(a.numpy())
        buf.obs.append(o)
        buf.act.append(a)
        buf.rew.append(r)
        buf.done.append(done)
        if done:
            obs = env.reset()
    return buf


def update(ac, opt, buf, gamma=0.99, epochs=10):
    R, rets = 0.0, []
    for r, d in zip(reversed(buf.rew), reversed(buf.done)):
        R = r + gamma * R * (1 - d)
        rets.append(R)
    ret = torch.tensor(rets[::-1])
    obs, act = torch.stack(buf.obs), torch.stack(buf.act)
    with torch.no_grad():
        old = ac.dist(obs).log_prob(act).sum(-1)
    for _ in range(epochs):
        ratio = (ac.dist(obs).log_prob(act).sum(-1) - old).exp()
        v = ac.v(obs).squeeze(-1)
        adv = (ret - v).detach()
        loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean() + 0.5 * (ret - v).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


def main(env, iters=500):
    ac = ActorCritic(env.obs_dim, env.act_dim)
    opt = torch.optim.Adam(ac.parameters(), lr=3e-4)
    stats = {"entropy": []}
    for it in range(iters):
        update(ac, opt, rollout(env, ac, 2048, stats))
        print(it, float(stats["entropy"][-1]))
