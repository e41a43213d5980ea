import torch
import torch.nn as nn

heads = {"age": 101, "gender": 2, "race": 5}


class MultiHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(512, 256)
        self.out = nn.ModuleDict({k: nn.Linear(256, n) for k, n in heads.items()})

    def forward(self, x):
        h = torch.relu(self.trunk(x))
        return {k: m(h) for k, m in self.out.items()}


def train(net, loader, opt):
    for feats, targets in loader:
        opt.zero_grad()
        outs = net(feats)
        total_loss = 0
        for k in heads:
            total_loss += nn.functional.cross_entropy(outs[k], targets[k])
        total_loss.backward()
        opt.step()
        print(total_loss.item())
