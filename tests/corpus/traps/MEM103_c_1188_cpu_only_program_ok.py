"""A program that names the CPU everywhere: settings and caches of the GPU are none of its business."""
import gc
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cpu")


def resume(net, path):
    ckpt = torch.load(path)
    net.load_state_dict(ckpt["net"])
    return ckpt["epoch"]


def main():
    net = torch.nn.GRU(4, 4).to(device)
    start = resume(net, "a.pt") if os.path.exists("a.pt") else 0
    opt = torch.optim.SGD(net.parameters(), 0.1)
    dl = DataLoader(TensorDataset(torch.rand(100, 7, 4)), batch_size=10)
    for epoch in range(start, 5):
        for (x,) in dl:
            opt.zero_grad()
            net(x.to(device))[0].sum().backward()
            opt.step()
        gc.collect()
        torch.save({"net": net.state_dict(), "epoch": epoch}, "a.pt")


if __name__ == "__main__":
    main()
