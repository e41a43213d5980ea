# gathered once, after the loop

import torch
import torch.distributed as dist


def accuracy(model, loader):
    correct = torch.zeros(1).cuda()
    with torch.no_grad():
        for x, y in loader:
            correct += (model(x.cuda()).argmax(1) == y.cuda()).sum()
    everyone = [torch.zeros_like(correct) for _ in range(dist.get_world_size())]
    dist.all_gather(everyone, correct)
    return torch.cat(everyone).sum().item()
