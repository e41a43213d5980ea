"""GPU 0 holds 23 GB, the others 11 GB."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision.datasets import VOCSegmentation
from torchvision.models.segmentation import deeplabv3_resnet101


def get_model(ids):
    net = deeplabv3_resnet101(num_classes=21)
    if len(ids) > 1:
        net = nn.DataParallel(net, device_ids=ids)  #! MEM601
    return net.cuda(ids[0])


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--gpu-ids", default="0,1,2,3")
    p.add_argument("--workers", type=int, default=8)
    a = p.parse_args()
    ids = [int(s) for s in a.gpu_ids.split(",")]
    net = get_model(ids)
    opt = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9)
    dl = DataLoader(VOCSegmentation("data"), batch_size=32, num_workers=a.workers, pin_memory=True)
    for x, y in dl:
        loss = nn.functional.cross_entropy(net(x.cuda(ids[0], non_blocking=True))["out"], y.cuda(ids[0], non_blocking=True))
        opt.zero_grad()
        loss.backward()
        opt.step()


if __name__ == "__main__":
    main()
