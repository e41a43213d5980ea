import torch.nn as nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 2))
        self.log_probs, self.rewards = [], []

    def act(self, s):
        d = Categorical(logits=self.f(s))
        a = d.sample()
        self.log_probs.append(d.log_prob(a))
        return a.item()

    def clear(self):
        self.log_probs, self.rewards = [], []
