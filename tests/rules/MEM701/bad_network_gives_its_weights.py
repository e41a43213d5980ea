# the whole network comes back for its weights alone

import torch
from torch import nn


class Agent:
    def __init__(self, path):
        self.critic = nn.Linear(4, 2).cuda()
        saved = torch.load(path)  #! MEM701 warning
        self.critic.load_state_dict(saved.state_dict())

    def value(self, state):
        return self.critic(torch.as_tensor(state).cuda())
