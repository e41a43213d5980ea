"""One process per GPU."""
import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
from torchvision.datasets import VOCSegmentation
from torchvision.models.segmentation import deeplabv3_resnet101


def main():
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl")
    net = DDP(deeplabv3_resnet101(num_classes=21).cuda(), device_ids=[rank], gradient_as_bucket_view=True)
    ds = VOCSegmentation("data")
    dl = DataLoader(ds, batch_size=8, num_workers=8, pin_memory=True, sampler=DistributedSampler(ds))
    opt = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9)
    for x, y in dl:
        loss = nn.functional.cross_entropy(net(x.cuda(non_blocking=True))["out"], y.cuda(non_blocking=True))
        opt.zero_grad()
        loss.backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
