# one mean for each of three loaders

import torch
from data import Kind
from net import backbone
from torch.utils.data import DataLoader

model = backbone().cuda()
loaders = [DataLoader(Kind(kind), batch_size=8) for kind in ("a", "b", "c")]
with torch.no_grad():
    centers = []
    for loader in loaders:
        total = torch.zeros(512).cuda()
        for x, _ in loader:
            total += model(x.cuda()).sum(0)
        centers.append(total / len(loader.dataset))
    centers = torch.stack(centers)
