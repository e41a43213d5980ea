"""nvidia-smi shows 8 processes on GPU 0 (after examples#969)."""
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def setup():
    dist.init_process_group(backend="nccl")
    return int(os.environ["LOCAL_RANK"])


def load(model, path):
    model.load_state_dict(torch.load(path))  #! MEM701


def main():
    local_rank = setup()
    model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.ReLU(), torch.nn.Linear(64, 4)).cuda()  #! MEM602
    load(model, "pretrained.pt")
    ddp = DDP(model, device_ids=[local_rank])
    ds = TensorDataset(torch.randn(4096, 32), torch.randint(0, 4, (4096,)))
    dl = DataLoader(ds, 64, sampler=DistributedSampler(ds))
    opt = torch.optim.AdamW(ddp.parameters())
    for epoch in range(5):
        dl.sampler.set_epoch(epoch)
        for x, y in dl:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(ddp(x.cuda()), y.cuda()).backward()  #? MEM602
            opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
