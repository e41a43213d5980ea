import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel


class Trainer:
    def __init__(self, rank, world):
        torch.cuda.set_device(rank)
        dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29500", rank=rank, world_size=world)
        self.device = torch.device("cuda", rank)
        self.model = DistributedDataParallel(torch.nn.Linear(16, 16).to(self.device), gradient_as_bucket_view=True)
        self.optim = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def fit(self, steps):
        for _ in range(steps):
            x = torch.randn(8, 16, device=self.device)
            self.optim.zero_grad()
            self.model(x).pow(2).mean().backward()
            self.optim.step()


def run(rank, world):
    Trainer(rank, world).fit(100)
    dist.destroy_process_group()


if __name__ == "__main__":
    n = torch.cuda.device_count()
    mp.spawn(run, args=(n,), nprocs=n)
