import os
import torch


def select_gpu(k):
    os.environ["CUDA_VISIBLE_DEVICES"] = k  #! MEM503


def main():
    select_gpu(2)
    net = torch.nn.Linear(1, 1).cuda()
    print(net)


main()
