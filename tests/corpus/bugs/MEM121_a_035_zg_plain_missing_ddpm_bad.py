import argparse
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from unet import UNet


def main(args: argparse.Namespace) -> None:
    tfm = transforms.Compose([transforms.Resize(64), transforms.CenterCrop(64), transforms.ToTensor()])
    ds = datasets.ImageFolder(args.data, tfm)
    dl = DataLoader(ds, args.batch_size, shuffle=True, num_workers=args.workers, drop_last=True)
    model = UNet().to(args.device)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr)
    betas = torch.linspace(1e-4, 0.02, 1000, device=args.device)
    alpha_bar = torch.cumprod(1 - betas, 0)

    for epoch in range(args.epochs):
        for i, (x, _) in enumerate(dl):
            x = x.to(args.device) * 2 - 1
            t = torch.randint(0, 1000, (x.size(0),), device=args.device)
            a = alpha_bar[t].view(-1, 1, 1, 1)
            eps = torch.randn_like(x)
            loss = F.mse_loss(model(a.sqrt() * x + (1 - a).sqrt() * eps, t), eps)
            loss.backward()  #! MEM121
            opt.step()
            if i % 100 == 0:
                print(f"[{epoch}:{i}] {loss.item():.4f}")
        torch.save(model.state_dict(), Path(args.out) / f"unet_{epoch}.pt")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--data", required=True)
    p.add_argument("--out", default="runs")
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--workers", type=int, default=8)
    p.add_argument("--epochs", type=int, default=100)
    p.add_argument("--lr", type=float, default=2e-4)
    p.add_argument("--device", default="cuda")
    main(p.parse_args())
