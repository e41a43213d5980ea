# The checkpoint dict, with its optimizer state, stays in memory for the whole training.
import pathlib

import torch
from torch import nn

ROOT = pathlib.Path("runs")


def save(path, model, optimizer, epoch):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)


def main(resume=True):
    model = nn.LSTM(256, 1024, num_layers=4).cuda()
    head = nn.Linear(1024, 256).cuda()
    both = nn.ModuleDict({"lstm": model, "head": head})
    optimizer = torch.optim.Adam(both.parameters(), lr=1e-3)
    start = 0
    if resume and (ROOT / "last.pt").exists():
        ckpt = torch.load(ROOT / "last.pt", map_location="cpu")
        both.load_state_dict(ckpt["model"])
        optimizer.load_state_dict(ckpt["optimizer"])
        start = ckpt["epoch"] + 1
        del ckpt
    for epoch in range(start, 100):
        for _ in range(200):
            x = torch.randn(32, 16, 256, device="cuda")
            out, _ = model(x)
            loss = (head(out) - x).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())
        save(ROOT / "last.pt", both, optimizer, epoch)


main()
