# set in main by an option, after a module-level model

import argparse
import os

import torch

BACKBONE = torch.nn.Linear(16, 16).cuda()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", default="0")
    args = parser.parse_args()
    os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu  #! MEM503
    print(BACKBONE(torch.ones(1, 16).cuda()).sum())


if __name__ == "__main__":
    main()
