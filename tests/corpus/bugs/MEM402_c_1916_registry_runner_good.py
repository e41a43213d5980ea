"""The same after review."""
import argparse
import json
import os

import numpy as np
import torch
import torch.distributed as dist
import yaml
from torch import nn
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class TinyNet(nn.Module):
    def __init__(self, width=32, classes=80):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, width, 3, 2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.stem(x))


class Coco(Dataset):
    def __init__(self, root, split):
        with open(os.path.join(root, f"{split}.json")) as f:
            blob = json.load(f)["annotations"]
        self.files = np.array([a["file"] for a in blob], dtype=np.bytes_)
        self.labels = torch.tensor([a["category_id"] for a in blob])
        self.root = root

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return torch.load(os.path.join(self.root, self.files[i].decode())), self.labels[i]


class Runner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.distributed = int(os.environ.get("WORLD_SIZE", 1)) > 1
        if self.distributed:
            torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
            dist.init_process_group("nccl")
        self.model = TinyNet().cuda()
        self.opt = torch.optim.SGD(self.model.parameters(), lr=cfg["lr"], momentum=0.9)
        self.start = self.resume(cfg["resume"]) if cfg.get("resume") else 0
        if self.distributed:
            self.model = nn.parallel.DistributedDataParallel(self.model, gradient_as_bucket_view=True)
        ds = Coco(cfg["root"], "train")
        self.loader = DataLoader(ds, cfg["batch"], sampler=DistributedSampler(ds) if self.distributed else None,
                                 num_workers=8, pin_memory=True, persistent_workers=True)

    def resume(self, path):
        state = torch.load(path, map_location="cpu")
        self.model.load_state_dict(state["model"])
        self.opt.load_state_dict(state["opt"])
        return state["epoch"] + 1

    def run(self):
        for epoch in range(self.start, self.cfg["epochs"]):
            for x, y in self.loader:
                self.opt.zero_grad()
                loss = nn.functional.cross_entropy(self.model(x.cuda(non_blocking=True)), y.cuda(non_blocking=True))
                loss.backward()
                self.opt.step()
            self.evaluate()
            torch.cuda.empty_cache()

    @torch.no_grad()
    def evaluate(self):
        hits = torch.zeros(1, device="cuda")
        for x, y in self.loader:
            hits += (self.model(x.cuda(non_blocking=True)).argmax(1) == y.cuda(non_blocking=True)).sum()
        if self.distributed:
            dist.all_reduce(hits)
        return hits.item()


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("config")
    Runner(yaml.safe_load(open(p.parse_args().config))).run()
