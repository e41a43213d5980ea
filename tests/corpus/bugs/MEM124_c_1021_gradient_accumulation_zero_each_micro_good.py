import argparse

import torch
import torch.nn as nn
from accelerate.utils import set_seed


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--accum_iter", default=8, type=int)
    p.add_argument("--epochs", default=50, type=int)
    return p.parse_args()


def train_one_epoch(model, loader, optimizer, device, epoch, args):
    model.train(True)
    accum_iter = args.accum_iter
    for data_iter_step, (samples, mask) in enumerate(loader):
        samples = samples.to(device, non_blocking=True)
        loss = ((model(samples) - samples) ** 2 * mask.to(device)).mean()
        loss = loss / accum_iter
        loss.backward()
        if (data_iter_step + 1) % accum_iter == 0:
            optimizer.step()
            optimizer.zero_grad()


def main():
    args = get_args()
    set_seed(0)
    model = nn.Sequential(nn.Linear(768, 3072), nn.GELU(), nn.Linear(3072, 768)).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1.5e-4, betas=(0.9, 0.95))
    loader = torch.utils.data.DataLoader(torch.load("patches.pt"), batch_size=64, num_workers=8, drop_last=True)
    for epoch in range(args.epochs):
        train_one_epoch(model, loader, optimizer, "cuda", epoch, args)


if __name__ == "__main__":
    main()
