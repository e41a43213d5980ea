import numpy as np
import torch


class Replay:
    def __init__(self, size, obs, act):
        self.o = np.zeros((size, obs), np.float32)
        self.a = np.zeros((size, act), np.float32)
        self.i, self.size = 0, size

    def push(self, o, a):
        k = self.i % self.size
        self.o[k], self.a[k] = o, a
        self.i += 1


class Actor(torch.nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.body = torch.nn.Linear(obs, act)

    def sample(self, o):
        mean = self.body(o)
        raw = torch.distributions.Normal(mean, 1.0).rsample()
        return torch.tanh(raw)


def act(actor, obs):
    with torch.no_grad():
        return actor.sample(torch.as_tensor(obs, dtype=torch.float32)[None])[0].cpu().numpy()


def run(env, actor, steps):
    buf = Replay(10**6, 17, 6)
    obs, _ = env.reset()
    for _ in range(steps):
        a = act(actor, obs)
        nxt, r, term, trunc, _ = env.step(a)
        buf.push(obs, a)
        obs = nxt if not (term or trunc) else env.reset()[0]
    return buf
