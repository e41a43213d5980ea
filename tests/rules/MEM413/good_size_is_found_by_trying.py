# the size is found by trying

import torch
from accelerate.utils import find_executable_batch_size
from torch.utils.data import DataLoader

net = torch.nn.Linear(8, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)


@find_executable_batch_size(starting_batch_size=512)
def train(batch_size):
    for x, z in zip(DataLoader(torch.randn(500, 8), batch_size), DataLoader(torch.randn(50, 8), batch_size=4)):
        opt.zero_grad()
        (net(x.cuda()).mean() + net(z.cuda()).mean()).backward()
        opt.step()


train()
