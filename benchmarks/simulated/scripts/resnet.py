"""ResNet-50 on images of 224 x 224 with SGD; `--half` for bfloat16 autocast and channels last.

`--ddp` for one rank of DistributedDataParallel, started by `torchrun` or `memlint fit --nproc-per-node 8`.
"""

import os
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset

BATCH, STEPS = 32, 3


def convolution(before, after, size, stride=1):
    return nn.Conv2d(before, after, size, stride, padding=size // 2, bias=False)


class Bottleneck(nn.Module):
    def __init__(self, before, width, stride):
        super().__init__()
        after = 4 * width
        self.c1, self.n1 = convolution(before, width, 1), nn.BatchNorm2d(width)
        self.c2, self.n2 = convolution(width, width, 3, stride), nn.BatchNorm2d(width)
        self.c3, self.n3 = convolution(width, after, 1), nn.BatchNorm2d(after)
        self.relu = nn.ReLU(inplace=True)
        self.shortcut = None
        if stride != 1 or before != after:
            self.shortcut = nn.Sequential(convolution(before, after, 1, stride), nn.BatchNorm2d(after))

    def forward(self, x):
        kept = x
        out = self.relu(self.n1(self.c1(x)))
        out = self.relu(self.n2(self.c2(out)))
        out = self.n3(self.c3(out))
        if self.shortcut is not None:
            kept = self.shortcut(x)
        out += kept
        return self.relu(out)


class ResNet50(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = convolution(3, 64, 7, 2)
        self.norm, self.relu = nn.BatchNorm2d(64), nn.ReLU(inplace=True)
        self.pool = nn.MaxPool2d(3, 2, 1)
        blocks, before = [], 64
        for width, count, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
            for number in range(count):
                blocks.append(Bottleneck(before, width, stride if number == 0 else 1))
                before = 4 * width
        self.blocks = nn.Sequential(*blocks)
        self.mean, self.head = nn.AdaptiveAvgPool2d(1), nn.Linear(before, 1000)

    def forward(self, x):
        x = self.pool(self.relu(self.norm(self.stem(x))))
        x = self.mean(self.blocks(x))
        return self.head(torch.flatten(x, 1))


half = "--half" in sys.argv[1:]
ranks = "--ddp" in sys.argv[1:]
if ranks:
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(0)
net = ResNet50().to("cuda")
if half:
    net = net.to(memory_format=torch.channels_last)
if ranks:
    net = DistributedDataParallel(net, device_ids=[torch.cuda.current_device()])
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
criterion = nn.CrossEntropyLoss()
data = TensorDataset(torch.rand(BATCH * STEPS, 3, 224, 224), torch.randint(0, 1000, (BATCH * STEPS,)))
for x, y in DataLoader(data, batch_size=BATCH, pin_memory=True):
    x, y = x.to("cuda", non_blocking=True), y.to("cuda", non_blocking=True)
    if half:
        x = x.to(memory_format=torch.channels_last)
    with torch.autocast("cuda", dtype=torch.bfloat16, enabled=half):
        loss = criterion(net(x), y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    print(loss.item(), torch.cuda.max_memory_allocated())
