import argparse

import torch


def loss_of(net, chunk):
    return torch.nn.functional.smooth_l1_loss(net(chunk["x"]), chunk["y"])


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--accum", type=int, default=8)
    args = p.parse_args()
    net = torch.nn.Sequential(torch.nn.Linear(128, 512), torch.nn.GELU(), torch.nn.Linear(512, 1))
    opt = torch.optim.AdamW(net.parameters())
    for step in range(1000):
        losses = []
        for _ in range(args.accum):
            chunk = {"x": torch.randn(256, 128), "y": torch.randn(256, 1)}
            losses.append(loss_of(net, chunk))  #! MEM118
        loss = torch.stack(losses).mean()
        loss.backward()  #= MEM118
        opt.step()
        opt.zero_grad()


main()
