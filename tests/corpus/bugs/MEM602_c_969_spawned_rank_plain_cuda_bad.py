import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel as DDP


def run(rank, world):
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:23456", rank=rank, world_size=world)  #= MEM602
    device = torch.device("cuda")  #= MEM602
    model = torch.nn.Linear(4, 4).to(device)  #! MEM602
    model = DDP(model, gradient_as_bucket_view=True)
    opt = torch.optim.SGD(model.parameters(), 0.1)
    for _ in range(10):
        opt.zero_grad()
        model(torch.randn(4, 4, device=device)).sum().backward()
        opt.step()


if __name__ == "__main__":
    mp.spawn(run, args=(2,), nprocs=2)
