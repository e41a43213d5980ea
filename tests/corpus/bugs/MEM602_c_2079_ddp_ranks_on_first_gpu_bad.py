# Distributed training in which no rank says which GPU is its own.
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group(backend="nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    print("process", dist.get_rank(), "of", dist.get_world_size(), "local", local_rank)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(100, 500), nn.ReLU(), nn.Linear(500, 10)).cuda())  #! MEM602
    data = TensorDataset(torch.randn(10000, 100), torch.randint(10, (10000,)))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=64, sampler=sampler, num_workers=2, pin_memory=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(5):
        sampler.set_epoch(epoch)
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x.cuda(non_blocking=True)), y.cuda(non_blocking=True))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
