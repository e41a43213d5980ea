# a file that defines networks runs each of them once on made-up data where it is started itself

import torch
from torch import nn


class Streaming(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Conv2d(3, 3, 3)

    def forward(self, x):
        return self.net(x)


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = Streaming(), Streaming()

    def forward(self, x, y):
        return self.left(x) + self.right(y)


if __name__ == "__main__":
    img = torch.rand((1, 3, 4800, 4800)).to("cuda", dtype=torch.float32)
    network = Streaming().to("cuda")
    network.eval()
    out = network(img)
    same = network.net(img)
    print(f"sum/max: {(out - same).sum().item()}, {out.max().item()}")

    pair = Pair()
    pair.eval()
    both = pair(torch.randn(1, 3, 64, 64), torch.zeros(1, 3, 64, 64))
    print(both.max().item())
