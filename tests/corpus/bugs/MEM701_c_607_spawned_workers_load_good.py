import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel


def setup(rank, world_size):
    os.environ["MASTER_ADDR"] = "localhost"
    os.environ["MASTER_PORT"] = "29511"
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    torch.cuda.set_device(rank)


def worker(rank, world_size, ckpt_path):
    setup(rank, world_size)
    net = torch.nn.Conv2d(3, 8, 3).to(rank)
    if ckpt_path is not None:
        ckpt = torch.load(ckpt_path, map_location={"cuda:0": f"cuda:{rank}"}, weights_only=False)
        net.load_state_dict(ckpt["net"] if "net" in ckpt else ckpt)
    net = DistributedDataParallel(net, device_ids=[rank])
    net(torch.randn(1, 3, 8, 8, device=rank)).sum().backward()
    if rank == 0:
        torch.save({"net": net.module.state_dict()}, "ckpt.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    n = torch.cuda.device_count()
    mp.spawn(worker, args=(n, "ckpt.pt" if os.path.exists("ckpt.pt") else None), nprocs=n)
