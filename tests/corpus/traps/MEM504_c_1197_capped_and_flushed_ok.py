"""Memory fraction, flushes and settings in the places they belong, in methods and closures."""
import os

os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:256")

import gc

import torch


class Server:
    def __init__(self, share):
        torch.cuda.set_per_process_memory_fraction(share)
        self.nets = {}

    def load(self, name, path):
        if len(self.nets) > 2:
            self.nets.popitem()
            gc.collect()
            torch.cuda.empty_cache()
        self.nets[name] = torch.jit.load(path, map_location="cuda").eval()

    @torch.inference_mode()
    def answer(self, name, x):
        try:
            return self.nets[name](x.cuda()).cpu()
        except torch.cuda.OutOfMemoryError:
            torch.cuda.empty_cache()
            return torch.cat([self.nets[name](p.cuda()).cpu() for p in x.split(1)])


def experiment(configs, make, loader):
    def finish(net):
        net.cpu()
        torch.cuda.empty_cache()

    for c in configs:
        net = make(c).cuda()
        opt = torch.optim.SGD(net.parameters(), c.lr)
        for x in loader:
            opt.zero_grad()
            net(x.cuda()).mean().backward()
            opt.step()
        finish(net)


def periodic(net, opt, loader):
    for i, x in enumerate(loader):
        opt.zero_grad()
        net(x.cuda()).mean().backward()
        opt.step()
        if i % 500 == 499:
            torch.cuda.empty_cache()
