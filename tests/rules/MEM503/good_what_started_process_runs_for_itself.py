# what a started process runs for itself

import os
from multiprocessing import Process

import torch


def work(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)
    print(torch.zeros(1).cuda())


if __name__ == "__main__":
    jobs = [Process(target=work, args=(g,)) for g in range(2)]
    for job in jobs:
        job.start()
