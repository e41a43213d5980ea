import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main(args):
    dist.init_process_group(backend="nccl")
    rank = dist.get_rank()
    device = torch.device("cuda")  #! MEM602
    model = DDP(nn.Linear(20, 5).to(device))
    data = TensorDataset(torch.randn(512, 20), torch.randint(0, 5, (512,)))
    loader = DataLoader(data, batch_size=args.bs, sampler=DistributedSampler(data))
    opt = torch.optim.Adam(model.parameters())
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        opt.step()
    if rank == 0:
        print(float(loss), os.environ["LOCAL_RANK"])


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--bs", type=int, default=32)
    main(p.parse_args())
