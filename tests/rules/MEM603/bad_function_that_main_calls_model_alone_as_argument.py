# function that main calls, the model alone as the argument

import torch


def wrapped(model):
    model = torch.nn.SyncBatchNorm.convert_sync_batchnorm(model)
    return torch.nn.parallel.DistributedDataParallel(model)  #! MEM603


def main():
    torch.distributed.init_process_group("nccl")
    net = wrapped(torch.nn.Conv2d(3, 3, 3).cuda(torch.distributed.get_rank()))
    net(torch.randn(1, 3, 8, 8).cuda()).sum().backward()


if __name__ == "__main__":
    main()
