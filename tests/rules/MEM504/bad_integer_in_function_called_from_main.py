# an integer, in a function called from main

import torch


def setup(device):
    torch.cuda.set_per_process_memory_fraction(1, device)  #! MEM504 error
    torch.backends.cudnn.benchmark = True


def main():
    setup(torch.device("cuda", 0))
    print(torch.zeros(1).cuda())


if __name__ == "__main__":
    main()
