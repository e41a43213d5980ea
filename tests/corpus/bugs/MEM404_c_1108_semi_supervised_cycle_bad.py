"""Mean teacher: host memory climbs during the first epoch, then stays. Unlabelled set is 60 GB."""
import argparse
import copy
from itertools import cycle

import torch
import torch.nn.functional as F
from torchvision import datasets, transforms
from torchvision.models import resnet50


def update_ema(student, teacher, a):
    with torch.no_grad():
        for s, t in zip(student.parameters(), teacher.parameters()):
            t.mul_(a).add_(s, alpha=1 - a)


def main(args):
    tfm = transforms.Compose([transforms.RandomResizedCrop(224), transforms.ToTensor()])
    lab = torch.utils.data.DataLoader(datasets.ImageFolder(args.lab, tfm), 32, shuffle=True, num_workers=8, pin_memory=True)
    unl = torch.utils.data.DataLoader(datasets.ImageFolder(args.unl, tfm), 96, shuffle=True, num_workers=8, pin_memory=True)
    student = resnet50(num_classes=100).cuda()
    teacher = copy.deepcopy(student)
    for p in teacher.parameters():
        p.requires_grad_(False)
    opt = torch.optim.SGD(student.parameters(), 0.03, momentum=0.9)
    for epoch in range(args.epochs):
        for (x, y), (u, _) in zip(cycle(lab), unl):  #! MEM404
            x, y, u = x.cuda(non_blocking=True), y.cuda(non_blocking=True), u.cuda(non_blocking=True)
            with torch.no_grad():
                target = F.softmax(teacher(u), 1)
            loss = F.cross_entropy(student(x), y) + F.mse_loss(F.softmax(student(u), 1), target)
            opt.zero_grad()
            loss.backward()
            opt.step()
            update_ema(student, teacher, 0.999)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("lab")
    ap.add_argument("unl")
    ap.add_argument("--epochs", type=int, default=100)
    main(ap.parse_args())
