import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel


def run(rank, world, build):
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:23456", rank=rank, world_size=world)  #= MEM602
    device = torch.device("cuda")  #! MEM602
    net = build().to(device)
    net = DistributedDataParallel(net, gradient_as_bucket_view=True)
    opt = torch.optim.AdamW(net.parameters())
    for _ in range(100):
        opt.zero_grad()
        net(torch.randn(8, 8, device=device)).sum().backward()
        opt.step()


if __name__ == "__main__":
    mp.spawn(run, args=(torch.cuda.device_count(), lambda: torch.nn.Linear(8, 8)), nprocs=torch.cuda.device_count())
