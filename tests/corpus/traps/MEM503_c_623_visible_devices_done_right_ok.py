import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, default=-1)
args, _ = parser.parse_known_args()
if args.gpu >= 0:
    os.environ["CUDA_VISIBLE_DEVICES"] = f"{args.gpu}"

import torch
import torch.multiprocessing as mp


def worker(rank, gpus):
    # every worker sees its own GPU only
    os.environ["CUDA_VISIBLE_DEVICES"] = gpus[rank]
    torch.zeros(1, device="cuda:0")


def main():
    n = torch.cuda.device_count()
    if n > 1:
        mp.spawn(worker, args=([str(i) for i in range(n)],), nprocs=n)
    else:
        worker(0, [os.environ.get("CUDA_VISIBLE_DEVICES", "0")])


if __name__ == "__main__":
    main()
