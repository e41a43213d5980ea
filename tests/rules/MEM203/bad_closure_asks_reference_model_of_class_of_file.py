# a closure asks the reference model of a class of the file

import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 32)
        self.logits = nn.Linear(32, 4)

    def forward(self, x):
        return self.logits(torch.tanh(self.body(x))).log_softmax(-1)


policy, reference = Policy(), Policy()
reference.load_state_dict(policy.state_dict())
adam = torch.optim.Adam(policy.parameters(), lr=3e-4)


def make_update(coefficient):
    def update(obs):
        logp = policy(obs)
        kl = (logp.exp() * (logp - reference(obs).detach())).sum(-1).mean()  #! MEM203 warning
        adam.zero_grad()
        (coefficient * kl).backward()
        adam.step()

    return update


update = make_update(0.1)
for _ in range(30):
    update(torch.randn(16, 8))
