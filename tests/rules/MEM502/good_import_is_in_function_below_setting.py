# the import is in the function, below the setting

import os


def main():
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "backend:cudaMallocAsync"
    import torch

    print(torch.zeros(1, device="cuda"))


main()
