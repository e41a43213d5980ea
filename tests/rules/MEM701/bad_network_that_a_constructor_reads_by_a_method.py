# The constructor calls the method that reads the file, and moves what it has read.

import torch


class Player:
    def __init__(self, path):
        self.restore(path)
        self.policy.to("cuda")

    def restore(self, path):
        self.policy = torch.load(path)  #! MEM701 warning
        self.policy.eval()

    @torch.no_grad()
    def act(self, state):
        return self.policy(torch.as_tensor(state).cuda()[None]).argmax(1).item()
