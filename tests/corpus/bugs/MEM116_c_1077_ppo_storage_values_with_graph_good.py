import gymnasium as gym
import torch
import torch.nn as nn
from torch.distributions import Normal


class ActorCritic(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(obs, 64), nn.Tanh(), nn.Linear(64, act))
        self.v = nn.Sequential(nn.Linear(obs, 64), nn.Tanh(), nn.Linear(64, 1))
        self.log_std = nn.Parameter(torch.zeros(act))

    def act(self, o):
        d = Normal(self.pi(o), self.log_std.exp())
        a = d.sample()
        return a, d.log_prob(a).sum(-1), self.v(o).squeeze(-1)

    def evaluate(self, o, a):
        d = Normal(self.pi(o), self.log_std.exp())
        return d.log_prob(a).sum(-1), d.entropy().sum(-1), self.v(o).squeeze(-1)


class Rollouts:
    def __init__(self):
        self.reset()

    def reset(self):
        self.obs, self.act, self.logp, self.val, self.rew = [], [], [], [], []

    def add(self, o, a, lp, v, r):
        self.obs.append(o)
        self.act.append(a)
        self.logp.append(lp)  #= MEM116
        self.val.append(v)  #= MEM116
        self.rew.append(r)


def collect(env, net, buf, steps):
    o, _ = env.reset()
    for _ in range(steps):
        ot = torch.as_tensor(o, dtype=torch.float32)
        with torch.no_grad():
            a, lp, v = net.act(ot)
        o, r, term, trunc, _ = env.step(a.numpy())
        buf.add(ot, a, lp, v, r)
        if term or trunc:
            o, _ = env.reset()


def update(net, opt, buf, epochs=10, clip=0.2):
    obs, act = torch.stack(buf.obs), torch.stack(buf.act)
    old, val = torch.stack(buf.logp).detach(), torch.stack(buf.val).detach()
    ret = torch.tensor(buf.rew).flip(0).cumsum(0).flip(0)
    adv = ret - val
    for _ in range(epochs):
        lp, ent, v = net.evaluate(obs, act)
        ratio = (lp - old).exp()
        loss = -torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean()
        loss = loss + 0.5 * (v - ret).pow(2).mean() - 0.01 * ent.mean()
        opt.zero_grad()  #? MEM122
        loss.backward()
        opt.step()
    buf.reset()


if __name__ == "__main__":
    env = gym.make("Pendulum-v1")
    net = ActorCritic(3, 1)
    opt = torch.optim.Adam(net.parameters(), 3e-4)
    buf = Rollouts()
    for it in range(300):
        collect(env, net, buf, 2048)
        update(net, opt, buf)
