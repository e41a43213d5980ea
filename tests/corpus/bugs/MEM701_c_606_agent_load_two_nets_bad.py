import torch
import torch as th
from torch import nn

DEVICE = th.device("cuda" if th.cuda.is_available() else "cpu")


class DQNAgent:
    def __init__(self):
        self.policy_net = nn.Linear(4, 2).to(DEVICE)
        self.target_net = nn.Linear(4, 2).to(DEVICE)
        self.optim = th.optim.Adam(self.policy_net.parameters())

    def load(self, prefix):
        self.policy_net.load_state_dict(th.load(prefix + "_policy.pt"))  #! MEM701
        with open(prefix + "_target.pt", "rb") as f:
            sd = torch.load(f)  #! MEM701
        missing = set(self.target_net.state_dict()) - set(sd.keys())
        assert not missing, missing
        self.target_net.load_state_dict(sd)


agent = DQNAgent()
agent.load("cartpole")
