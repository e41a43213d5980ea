"""Processes of a pool that choose their GPU before they touch it."""
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

import torch
import torch.multiprocessing as mp


def init(counter):
    with counter.get_lock():
        gpu = counter.value
        counter.value += 1
    os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)


def predict(path):
    net = torch.jit.load("net.pt", map_location="cuda:0")
    with torch.no_grad():
        return net(torch.load(path, map_location="cuda:0")).cpu()


def embed(rank, files):
    torch.cuda.set_device(rank)
    net = torch.nn.Linear(3, 3).cuda()
    with torch.no_grad():
        return [net(torch.load(f, map_location="cuda")).cpu() for f in files[rank::2]]


def launch(n):
    procs = []
    for i in range(n):
        env = dict(os.environ)
        env["CUDA_VISIBLE_DEVICES"] = str(i)
        env["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"
        procs.append(subprocess.Popen([sys.executable, "train.py"], env=env))
    return [p.wait() for p in procs]


if __name__ == "__main__":
    mp.set_start_method("spawn")
    n = torch.cuda.device_count()
    counter = mp.Value("i", 0)
    with ProcessPoolExecutor(n, initializer=init, initargs=(counter,)) as pool:
        print(list(pool.map(predict, sys.argv[1:])))
    mp.spawn(embed, args=(sys.argv[1:],), nprocs=n)
    launch(n)
