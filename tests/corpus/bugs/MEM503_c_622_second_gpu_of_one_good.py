import os

os.environ["CUDA_VISIBLE_DEVICES"] = "3"
import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 4, 3)

    def forward(self, x):
        return F.relu(self.conv(x)).mean((2, 3))


torch.cuda.set_device(0)
net = Net().cuda()
print(net(torch.randn(1, 1, 8, 8).cuda()))
