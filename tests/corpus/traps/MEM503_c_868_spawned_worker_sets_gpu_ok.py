import os
import torch
import torch.multiprocessing as mp


def worker(rank, gpus):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(gpus[rank])
    net = torch.nn.Linear(1, 1).cuda()
    print(net)


def main():
    gpus = [4, 5, 6]
    mp.spawn(worker, args=(gpus,), nprocs=len(gpus))


if __name__ == "__main__":
    main()
