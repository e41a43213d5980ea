import multiprocessing as mp
import os
import torch


def child(gpu, queue):
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu
    import torch

    queue.put(torch.zeros(1).cuda().item())


if __name__ == "__main__":
    print(torch.cuda.device_count())
    ctx = mp.get_context("spawn")
    q = ctx.Queue()
    ps = [ctx.Process(target=child, args=(str(g), q)) for g in range(2)]
    [p.start() for p in ps]
