import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import resnet18


class BYOL(object):
    def __init__(self, device):
        self.online = resnet18(num_classes=128).to(device)
        self.predictor = nn.Sequential(nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 128)).to(device)
        self.target = copy.deepcopy(self.online)
        self.optimizer = torch.optim.SGD(
            list(self.online.parameters()) + list(self.predictor.parameters()), lr=0.03
        )

    def update_target(self, m=0.99):
        for q, k in zip(self.online.parameters(), self.target.parameters()):
            k.data = k.data * m + q.data * (1.0 - m)

    def train(self, loader, device):
        for (view1, view2), _ in loader:
            view1, view2 = view1.to(device), view2.to(device)
            p = self.predictor(self.online(view1))
            with torch.no_grad():
                z = self.target(view2)
            loss = 2 - 2 * F.cosine_similarity(p, z.detach(), dim=-1).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.update_target()


if __name__ == "__main__":
    data = [((torch.randn(4, 3, 32, 32), torch.randn(4, 3, 32, 32)), 0)] * 3
    BYOL("cpu").train(data, "cpu")
