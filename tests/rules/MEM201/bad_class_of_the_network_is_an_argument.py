# `net` is a class: what it makes has a name, and is the network that runs

import torch


class Agent:
    def __init__(self, net, sizes, device):
        self.policy = net(*sizes).to(device)
        self.optimizer = torch.optim.Adam(self.policy.parameters())

    def judge(self, loader):
        self.policy.eval()
        for x in loader:
            print(self.policy(x).argmax().item())  #! MEM201 error
