"""SLURM variables; the rank picks the sampler, but not the GPU."""
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler
from torchvision.datasets import FakeData
from torchvision.transforms import ToTensor


def get_rank():
    return int(os.environ["SLURM_PROCID"]), int(os.environ["SLURM_LOCALID"]), int(os.environ["SLURM_NTASKS"])


def train():
    rank, local, world = get_rank()
    dist.init_process_group("nccl", "env://", rank=rank, world_size=world)
    device = torch.device("cuda:0")  #! MEM602
    net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * 224 * 224, 10)).to(device)
    net = DistributedDataParallel(net, gradient_as_bucket_view=True)
    ds = FakeData(transform=ToTensor())
    sampler = DistributedSampler(ds, world, rank)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for x, y in DataLoader(ds, 32, sampler=sampler, num_workers=4, pin_memory=True):
            opt.zero_grad()
            torch.nn.functional.cross_entropy(net(x.to(device, non_blocking=True)), y.to(device, non_blocking=True)).backward()
            opt.step()


if __name__ == "__main__":
    train()
