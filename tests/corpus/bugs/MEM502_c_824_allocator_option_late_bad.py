import argparse
import os
import torch


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--split", default="128")
    a = ap.parse_args()
    net = torch.nn.Linear(10, 10).cuda()
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = f"max_split_size_mb:{a.split}"  #! MEM502
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for _ in range(100):
        opt.zero_grad()
        net(torch.randn(4, 10, device="cuda")).sum().backward()
        opt.step()


main()
