import argparse

import torch
import torch.nn.functional as F
from torchvision import datasets, transforms
from torchvision.models import resnet50


def cycle(loader):
    while True:
        yield from loader


def main(args):
    tfm = transforms.Compose([transforms.RandomResizedCrop(224), transforms.ToTensor()])
    lab = torch.utils.data.DataLoader(datasets.ImageFolder(args.lab, tfm), 32, shuffle=True, num_workers=8,
                                      pin_memory=True, persistent_workers=True)
    unl = torch.utils.data.DataLoader(datasets.ImageFolder(args.unl, tfm), 96, shuffle=True, num_workers=8,
                                      pin_memory=True, persistent_workers=True)
    student = resnet50(num_classes=100).cuda()
    opt = torch.optim.SGD(student.parameters(), 0.03, momentum=0.9)
    for epoch in range(args.epochs):
        for (x, y), (u, _) in zip(cycle(lab), unl):
            x, y, u = x.cuda(non_blocking=True), y.cuda(non_blocking=True), u.cuda(non_blocking=True)
            loss = F.cross_entropy(student(x), y) + student(u).softmax(1).var()
            opt.zero_grad()
            loss.backward()
            opt.step()


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("lab")
    ap.add_argument("unl")
    ap.add_argument("--epochs", type=int, default=100)
    main(ap.parse_args())
