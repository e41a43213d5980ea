import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def setup():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group(backend="nccl")
    return local_rank


def load(model, path, rank):
    model.load_state_dict(torch.load(path, map_location=f"cuda:{rank}"))


def main():
    local_rank = setup()
    model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.ReLU(), torch.nn.Linear(64, 4)).cuda()
    load(model, "pretrained.pt", local_rank)
    ddp = DDP(model, device_ids=[local_rank], gradient_as_bucket_view=True)
    ds = TensorDataset(torch.randn(4096, 32), torch.randint(0, 4, (4096,)))
    dl = DataLoader(ds, 64, sampler=DistributedSampler(ds), pin_memory=True)
    opt = torch.optim.AdamW(ddp.parameters())
    for epoch in range(5):
        dl.sampler.set_epoch(epoch)
        for x, y in dl:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(ddp(x.cuda(non_blocking=True)), y.cuda(non_blocking=True)).backward()
            opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
