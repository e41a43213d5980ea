import argparse
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def ddp_setup():
    dist.init_process_group(backend="nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))


class Trainer:
    def __init__(self, model, data, opt, snapshot):
        self.gpu_id = int(os.environ["LOCAL_RANK"])
        self.model = model.to(self.gpu_id)
        self.data, self.opt, self.epochs_run = data, opt, 0
        if os.path.exists(snapshot):
            self._load(snapshot)
        self.model = DDP(self.model, device_ids=[self.gpu_id], gradient_as_bucket_view=True)

    def _load(self, path):
        loc = f"cuda:{self.gpu_id}"
        snap = torch.load(path, map_location=loc)
        self.model.load_state_dict(snap["MODEL_STATE"])
        self.epochs_run = snap["EPOCHS_RUN"]

    def train(self, n):
        for epoch in range(self.epochs_run, n):
            self.data.sampler.set_epoch(epoch)
            for x, y in self.data:
                x, y = x.to(self.gpu_id), y.to(self.gpu_id)
                self.opt.zero_grad()
                torch.nn.functional.cross_entropy(self.model(x), y).backward()
                self.opt.step()
            if self.gpu_id == 0:
                torch.save({"MODEL_STATE": self.model.module.state_dict(), "EPOCHS_RUN": epoch}, "s.pt")


def main(n, snapshot):
    ddp_setup()
    model = torch.nn.Linear(20, 1)
    opt = torch.optim.SGD(model.parameters(), lr=1e-3)
    ds = torch.utils.data.TensorDataset(torch.randn(64, 20), torch.randint(0, 1, (64,)))
    data = torch.utils.data.DataLoader(ds, 32, pin_memory=True, sampler=torch.utils.data.distributed.DistributedSampler(ds))
    Trainer(model, data, opt, snapshot).train(n)
    dist.destroy_process_group()


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("n", type=int)
    main(p.parse_args().n, "snap.pt")
