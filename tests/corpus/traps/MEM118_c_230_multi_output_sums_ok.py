import torch
import torch.nn.functional as F
from torch import nn


class DeepSupervision(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList([nn.Conv2d(3 if i == 0 else 8, 8, 3, padding=1) for i in range(3)])
        self.heads = nn.ModuleList([nn.Conv2d(8, 2, 1) for _ in range(3)])

    def forward(self, x):
        outs = []
        for stage, head in zip(self.stages, self.heads):
            x = torch.relu(stage(x))
            outs.append(head(x))
        return outs


def detector_step(model, opt, batch):
    images, targets = batch
    loss_dict = model(images, targets)
    total = sum(loss for loss in loss_dict.values())
    opt.zero_grad()
    total.backward()
    opt.step()


net = DeepSupervision()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for it in range(10):
    x, y = torch.randn(2, 3, 16, 16), torch.randint(0, 2, (2, 16, 16))
    loss = 0.0
    for k, out in enumerate(net(x)):
        loss += 0.5 ** k * F.cross_entropy(out, y)
    for p in net.parameters():
        loss = loss + 1e-4 * p.pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
