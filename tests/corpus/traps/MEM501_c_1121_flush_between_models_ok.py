"""Flushing the cache where a phase ends."""
import gc
import time

import torch


def release(*objs):
    for o in objs:
        del o
    gc.collect()
    torch.cuda.empty_cache()


def benchmark(names, x):
    for name in names:
        net = torch.hub.load("pytorch/vision", name).cuda().eval()
        with torch.no_grad():
            for _ in range(20):
                net(x)
        del net
        torch.cuda.empty_cache()


class Pipeline:
    def __init__(self, enc, unet, vae):
        self.enc, self.unet, self.vae = enc, unet, vae

    @torch.no_grad()
    def __call__(self, prompts):
        images = []
        for p in prompts:
            self.enc.cuda()
            c = self.enc(p)
            self.enc.cpu()
            torch.cuda.empty_cache()
            self.unet.cuda()
            z = self.unet(c)
            self.unet.cpu()
            torch.cuda.empty_cache()
            images.append(self.vae(z).cpu())
        return images


def folds(make, data):
    for tr, va in data:
        net = make().cuda()
        opt = torch.optim.SGD(net.parameters(), 0.1)
        for x in tr:
            opt.zero_grad()
            net(x).sum().backward()
            opt.step()
        del net, opt
        gc.collect()
        torch.cuda.empty_cache()


def guarded(net, opt, loader, limit):
    for x in loader:
        try:
            opt.zero_grad()
            net(x).sum().backward()
            opt.step()
        except torch.cuda.OutOfMemoryError:
            torch.cuda.empty_cache()
            continue
        free, total = torch.cuda.mem_get_info()
        if free / total < limit:
            torch.cuda.empty_cache()


def watch():
    while True:
        torch.cuda.empty_cache()
        time.sleep(60)
