# A trainer for several GPUs whose load() brings the whole checkpoint to the device it was saved from.
import os
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def unwrap(m):
    return m.module if isinstance(m, DDP) else m


class UnetTrainer:
    def __init__(self, unet, *, lr=1e-4, path="./checkpoint.pt"):
        self.local_rank = int(os.environ["LOCAL_RANK"])
        torch.cuda.set_device(self.local_rank)
        self.device = torch.device("cuda", self.local_rank)
        self.unet = DDP(unet.to(self.device), device_ids=[self.local_rank])
        self.optim = torch.optim.Adam(self.unet.parameters(), lr=lr)
        self.path = Path(path)
        self.steps = 0

    def save(self):
        if dist.get_rank() != 0:
            return
        torch.save(dict(model=unwrap(self.unet).state_dict(), optim=self.optim.state_dict(), steps=self.steps),
                   str(self.path))

    def load(self):
        if not self.path.exists():
            return None
        loaded_obj = torch.load(str(self.path), map_location="cpu")
        unwrap(self.unet).load_state_dict(loaded_obj["model"])
        self.optim.load_state_dict(loaded_obj["optim"])
        self.steps = loaded_obj["steps"]

    def train_step(self, x):
        x = x.to(self.device)
        noise = torch.randn_like(x)
        loss = nn.functional.mse_loss(self.unet(x + noise), noise)
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        self.steps += 1
        return loss.item()


if __name__ == "__main__":
    dist.init_process_group("nccl")
    trainer = UnetTrainer(nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.SiLU(), nn.Conv2d(32, 3, 3, padding=1)))
    trainer.load()
    for _ in range(1000):
        loss = trainer.train_step(torch.rand(8, 3, 64, 64))
    trainer.save()
    dist.destroy_process_group()
