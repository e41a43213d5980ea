# classes whose `forward` is the whole training, and which a class method makes

import torch
from frames import BaseModel
from torch import nn


class Walks(BaseModel):
    @classmethod
    def build_model_from_args(cls, args):
        return cls(args.size)

    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, pairs):
        net = nn.Linear(self.size, 3)
        opt = torch.optim.Adam(net.parameters())
        for _ in range(9):
            found = []
            for x, y in torch.utils.data.DataLoader(pairs, 32):
                opt.zero_grad()
                logits = net(x)
                found.append(logits)  #! MEM102
                nn.functional.cross_entropy(logits, y).backward()
                opt.step()
            print(torch.cat(found).argmax(1))
        return net.weight.detach()
