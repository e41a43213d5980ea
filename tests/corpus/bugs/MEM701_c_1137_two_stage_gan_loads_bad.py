"""StyleGAN-like resume; 8 copies of the checkpoint land on GPU 0."""
import argparse

import torch
from torch import distributed as dist, nn, optim


def train(args, loader, g, d, g_optim, d_optim):
    for i, real in enumerate(loader):
        if i + args.start_iter > args.iter:
            break
        real = real.to("cuda", non_blocking=True)
        fake = g(torch.randn(len(real), 128, device="cuda"))
        d_loss = nn.functional.softplus(d(fake.detach())).mean() + nn.functional.softplus(-d(real)).mean()
        d_optim.zero_grad()
        d_loss.backward()
        d_optim.step()
        g_loss = nn.functional.softplus(-d(fake)).mean()
        g_optim.zero_grad()
        g_loss.backward()
        g_optim.step()


def main(loader):
    p = argparse.ArgumentParser()
    p.add_argument("--ckpt", type=str, default=None)
    p.add_argument("--iter", type=int, default=800000)
    p.add_argument("--local_rank", type=int, default=0)
    args = p.parse_args()
    torch.cuda.set_device(args.local_rank)
    dist.init_process_group(backend="nccl", init_method="env://")
    args.start_iter = 0
    g, d = nn.Linear(128, 784).cuda(), nn.Linear(784, 1).cuda()
    g_optim, d_optim = optim.Adam(g.parameters(), 2e-3), optim.Adam(d.parameters(), 2e-3)
    if args.ckpt is not None:
        print("load model:", args.ckpt)
        ckpt = torch.load(args.ckpt)  #! MEM701 #! MEM702
        args.start_iter = int(args.ckpt.split(".")[0])
        g.load_state_dict(ckpt["g"])
        d.load_state_dict(ckpt["d"])
        g_optim.load_state_dict(ckpt["g_optim"])
        d_optim.load_state_dict(ckpt["d_optim"])
    g = nn.parallel.DistributedDataParallel(g, device_ids=[args.local_rank], gradient_as_bucket_view=True)
    d = nn.parallel.DistributedDataParallel(d, device_ids=[args.local_rank], gradient_as_bucket_view=True)
    train(args, loader, g, d, g_optim, d_optim)
