# Face embedding training on all GPUs of the machine.
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

os.environ["CUDA_VISIBLE_DEVICES"] = "0,1,2,3"


class Embedder(nn.Module):
    def __init__(self, dim=128):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 64, 5, 2), nn.PReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten())
        self.fc = nn.Linear(64 * 16, dim)

    def forward(self, x):
        return F.normalize(self.fc(self.features(x)))


def main():
    model = Embedder().cuda()
    head = nn.Linear(128, 80_000, bias=False).cuda()
    if torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)  #! MEM601
    optimizer = torch.optim.SGD([*model.parameters(), *head.parameters()], lr=0.1, momentum=0.9)
    for it in range(100_000):
        faces = torch.rand(256, 3, 112, 112).cuda()
        ids = torch.randint(80_000, (256,)).cuda()
        loss = F.cross_entropy(head(model(faces)) * 32, ids)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


main()
