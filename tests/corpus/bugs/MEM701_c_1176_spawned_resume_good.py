import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel as DDP


def load_checkpoint(path, model, optimizer, gpu):
    if not os.path.exists(path):
        return 0
    where = {"cuda:%d" % 0: "cuda:%d" % gpu}
    state = torch.load(path, map_location=where)
    model.module.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return state["epoch"] + 1


def worker(gpu, n, cfg):
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl", rank=gpu, world_size=n)
    model = DDP(torch.nn.Linear(10, 10).cuda(gpu), device_ids=[gpu], gradient_as_bucket_view=True)
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(load_checkpoint(cfg["path"], model, opt, gpu), cfg["epochs"]):
        opt.zero_grad()
        model(torch.randn(4, 10, device=gpu)).sum().backward()
        opt.step()
        if gpu == 0:
            torch.save({"model": model.module.state_dict(), "optimizer": opt.state_dict(), "epoch": epoch}, cfg["path"])


if __name__ == "__main__":
    mp.spawn(worker, nprocs=torch.cuda.device_count(), args=(torch.cuda.device_count(), {"path": "a.pt", "epochs": 5}))
