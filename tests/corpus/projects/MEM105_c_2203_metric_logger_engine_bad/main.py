import argparse

import torch
from torch.utils.data import DataLoader

import utils
from data.coco import Coco
from engine import evaluate, train_one_epoch
from models.detector import build
from models.ema import ModelEMA


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--lr", default=1e-4, type=float)
    p.add_argument("--epochs", default=50, type=int)
    p.add_argument("--device", default="cuda")
    p.add_argument("--clip-max-norm", default=0.1, type=float)
    return p.parse_args()


def main(args):
    device = torch.device(args.device)
    model, criterion = build(args)
    model.to(device)
    ema = ModelEMA(model)
    groups = [
        {"params": [p for n, p in model.named_parameters() if "backbone" not in n and p.requires_grad]},
        {"params": [p for n, p in model.named_parameters() if "backbone" in n and p.requires_grad], "lr": args.lr / 10},
    ]
    optimizer = torch.optim.AdamW(groups, lr=args.lr, weight_decay=1e-4)
    train_loader = DataLoader(Coco("train"), 4, shuffle=True, collate_fn=utils.collate, num_workers=4)
    val_loader = DataLoader(Coco("val"), 4, collate_fn=utils.collate, num_workers=4)
    for epoch in range(args.epochs):
        stats = train_one_epoch(model, criterion, train_loader, optimizer, device, ema, args.clip_max_norm)
        print(epoch, stats, evaluate(ema.module, criterion, val_loader, device))


if __name__ == "__main__":
    main(get_args())
