# what a script is started for is no demonstration where the data come from a file

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Conv2d(3, 3, 3)

    def forward(self, x):
        return self.net(x)


if __name__ == "__main__":
    network = Net().to("cuda")
    network.eval()
    images = torch.load("images.pt", map_location="cuda")
    out = network(images)  #! MEM201 warning
    print(out.max().item())
