import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


class AverageMeter(object):
    """Computes and stores the average and current value"""

    def __init__(self, name, fmt=":f"):
        self.name, self.fmt = name, fmt
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


def reduce_tensor(tensor, world_size):
    rt = tensor.detach().clone()
    dist.all_reduce(rt, op=dist.ReduceOp.SUM)
    rt /= world_size
    return rt


def train(loader, model, criterion, optimizer, epoch, world_size, rank):
    losses = AverageMeter("Loss")
    model.train()
    for i, (images, target) in enumerate(loader):
        images = images.cuda(rank, non_blocking=True)
        target = target.cuda(rank, non_blocking=True)
        output = model(images)
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        reduced = reduce_tensor(loss, world_size)
        losses.update(reduced, images.size(0))
        if i % 50 == 0 and rank == 0:
            print(epoch, i, float(losses.val), float(losses.avg))
    return losses.avg


def main():
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    from zoo import build_model, build_loader
    model = DDP(build_model().cuda(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for epoch in range(90):
        train(build_loader(), model, nn.CrossEntropyLoss().cuda(rank), optimizer, epoch, dist.get_world_size(), rank)


if __name__ == "__main__":
    main()
