import argparse

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Metric(object):
    def __init__(self, name):
        self.name = name
        self.sum = torch.tensor(0.)
        self.n = torch.tensor(0.)

    def update(self, val):
        val = val.cpu()
        self.sum += val
        self.n += 1

    @property
    def avg(self):
        return self.sum / self.n


def train(epoch, model, loader, optimizer, criterion):
    train_loss = Metric('train_loss')
    loader.sampler.set_epoch(epoch)
    model.train()
    for data, target in loader:
        data, target = data.cuda(), target.cuda()
        optimizer.zero_grad()
        output = model(data)
        loss = criterion(output, target)
        loss.backward()
        optimizer.step()
        train_loss.update(loss.detach())
    if dist.get_rank() == 0:
        print("epoch", epoch, float(train_loss.avg))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local-rank", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=90)
    args = parser.parse_args()
    dist.init_process_group("nccl")
    torch.cuda.set_device(args.local_rank)
    from dataset import build_dataset, build_model
    ds = build_dataset()
    loader = DataLoader(ds, 256, sampler=DistributedSampler(ds), num_workers=8, pin_memory=True)
    model = DDP(build_model().cuda(), device_ids=[args.local_rank])
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    for epoch in range(args.epochs):
        train(epoch, model, loader, optimizer, torch.nn.CrossEntropyLoss().cuda())


if __name__ == "__main__":
    main()
