"""A network of inverted residuals with squeeze-and-excitation, in single precision with SGD."""

import torch
from torch import nn

BATCH = 32
BLOCKS = (
    # kernel, expanded, out, squeeze, hard swish, stride
    (3, 16, 16, False, False, 1),
    (3, 64, 24, False, False, 2),
    (3, 72, 24, False, False, 1),
    (5, 72, 40, True, False, 2),
    (5, 120, 40, True, False, 1),
    (5, 120, 40, True, False, 1),
    (3, 240, 80, False, True, 2),
    (3, 200, 80, False, True, 1),
    (3, 184, 80, False, True, 1),
    (3, 184, 80, False, True, 1),
    (3, 480, 112, True, True, 1),
    (3, 672, 112, True, True, 1),
    (5, 672, 160, True, True, 2),
    (5, 960, 160, True, True, 1),
    (5, 960, 160, True, True, 1),
)


def unit(before, after, size, stride=1, groups=1, act=None):
    layers = [nn.Conv2d(before, after, size, stride, size // 2, groups=groups, bias=False)]
    layers.append(nn.BatchNorm2d(after, eps=0.001, momentum=0.01))
    return [*layers, act(inplace=True)] if act else layers


class Squeeze(nn.Module):
    def __init__(self, width):
        super().__init__()
        less = max(8, (width // 4 + 4) // 8 * 8)
        less = less + 8 if less < 0.9 * (width // 4) else less
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.down, self.up = nn.Conv2d(width, less, 1), nn.Conv2d(less, width, 1)
        self.relu, self.gate = nn.ReLU(), nn.Hardsigmoid()

    def forward(self, x):
        return self.gate(self.up(self.relu(self.down(self.pool(x))))) * x


class Inverted(nn.Module):
    def __init__(self, before, size, wide, after, squeeze, swish, stride):
        super().__init__()
        act = nn.Hardswish if swish else nn.ReLU
        layers = unit(before, wide, 1, act=act) if wide != before else []
        layers += unit(wide, wide, size, stride, wide, act)
        layers += [Squeeze(wide)] if squeeze else []
        self.layers = nn.Sequential(*layers, *unit(wide, after, 1))
        self.residual = stride == 1 and before == after

    def forward(self, x):
        y = self.layers(x)
        if self.residual:
            y += x
        return y


layers, before = unit(3, 16, 3, 2, act=nn.Hardswish), 16
for size, wide, after, squeeze, swish, stride in BLOCKS:
    layers.append(Inverted(before, size, wide, after, squeeze, swish, stride))
    before = after
torch.manual_seed(0)
net = nn.Sequential(
    *layers,
    *unit(before, 6 * before, 1, act=nn.Hardswish),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Linear(6 * before, 1280),
    nn.Hardswish(inplace=True),
    nn.Dropout(0.2, inplace=True),
    nn.Linear(1280, 1000),
).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
for _ in range(3):
    images, labels = torch.rand(BATCH, 3, 224, 224).cuda(), torch.randint(0, 1000, (BATCH,)).cuda()
    loss = nn.functional.cross_entropy(net(images), labels)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    print(loss.item())
