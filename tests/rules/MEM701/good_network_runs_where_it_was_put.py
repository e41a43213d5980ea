# the whole network comes back, and is called: on the CPU it would be without its inputs

import torch
from torch import nn


class Agent:
    def __init__(self, path=None):
        self.device = torch.device("cuda")
        if path is not None:
            self.critic = torch.load(path)
        else:
            self.critic = nn.Linear(4, 2).to(self.device)
        self.target = nn.Linear(4, 2).to(self.device)
        self.target.load_state_dict(self.critic.state_dict())

    def value(self, state):
        return self.critic(torch.as_tensor(state).to(self.device))
