"""Detection framework in one file: registry, config, hooks. Memory on GPU 0 of each rank; slow evaluation."""
import argparse
import os
import time

import torch
import torch.distributed as dist
import yaml
from torch import nn
from torch.utils.data import DataLoader, Dataset, DistributedSampler

MODELS = {}


def register(cls):
    MODELS[cls.__name__] = cls
    return cls


@register
class TinyNet(nn.Module):
    def __init__(self, width=32, classes=80):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, width, 3, 2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.stem(x))


class Coco(Dataset):
    def __init__(self, root, split):
        import json

        with open(os.path.join(root, f"{split}.json")) as f:
            blob = json.load(f)
        self.anns = blob["annotations"]  #! MEM402
        self.root = root

    def __len__(self):
        return len(self.anns)

    def __getitem__(self, i):
        a = self.anns[i]
        return torch.load(os.path.join(self.root, a["file"])), a["category_id"]


def build_loader(cfg, split, distributed):
    ds = Coco(cfg["root"], split)
    sampler = DistributedSampler(ds) if distributed else None
    return DataLoader(ds, batch_size=cfg["batch"], sampler=sampler, num_workers=cfg.get("workers", 8), pin_memory=True)  #? MEM402


def build_model(cfg):
    return MODELS[cfg["type"]](**cfg.get("args", {}))


class Runner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.distributed = int(os.environ.get("WORLD_SIZE", 1)) > 1
        if self.distributed:
            dist.init_process_group("nccl")
        self.model = build_model(cfg["model"]).cuda()  #! MEM602
        self.opt = torch.optim.SGD(self.model.parameters(), lr=cfg["lr"], momentum=0.9)
        self.start = 0
        if cfg.get("resume"):
            self.resume(cfg["resume"])
        if self.distributed:
            self.model = nn.parallel.DistributedDataParallel(self.model, gradient_as_bucket_view=True)
        self.train_loader = build_loader(cfg, "train", self.distributed)
        self.val_loader = build_loader(cfg, "val", self.distributed)

    def resume(self, path):
        state = torch.load(path)  #! MEM701
        self.model.load_state_dict(state["model"])
        self.opt.load_state_dict(state["opt"])
        self.start = state["epoch"] + 1

    def train_epoch(self, epoch):
        self.model.train()
        t = time.time()
        for it, (x, y) in enumerate(self.train_loader):
            loss = nn.functional.cross_entropy(self.model(x.cuda(non_blocking=True)), y.cuda(non_blocking=True))
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if it % self.cfg["log"] == 0:
                print(epoch, it, loss.item(), time.time() - t)

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        outs = []
        for x, y in self.val_loader:
            out = self.model(x.cuda(non_blocking=True))
            if self.distributed:
                bucket = [torch.zeros_like(out) for _ in range(dist.get_world_size())]
                dist.all_gather(bucket, out)
                out = torch.cat(bucket)
            outs.append(out)  #! MEM606 #? MEM103
            torch.cuda.empty_cache()  #! MEM501
        return torch.cat(outs).argmax(1)

    def run(self):
        for epoch in range(self.start, self.cfg["epochs"]):
            self.train_epoch(epoch)
            self.evaluate()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("config")
    args = p.parse_args()
    with open(args.config) as f:
        Runner(yaml.safe_load(f)).run()


if __name__ == "__main__":
    main()
