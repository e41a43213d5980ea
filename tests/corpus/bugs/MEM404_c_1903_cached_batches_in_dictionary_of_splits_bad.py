"""Batches kept by comprehension for each split; a loader as a list in main."""
import torch
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


def get(split):
    return DataLoader(datasets.Flowers102("d", split, transform=transforms.ToTensor()), batch_size=32, num_workers=4)


def train(net, batches, epochs):
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for _ in range(epochs):
        for x, y in batches:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
            opt.step()


def main(net):
    loader = get("train")
    batches = [b for b in loader]  #! MEM404
    train(net.cuda(), batches, 20)
    val = tuple(get("val"))  #! MEM404
    with torch.no_grad():
        print(sum((net(x.cuda()).argmax(1).cpu() == y).sum().item() for x, y in val))
