# a frozen backbone with a new head: the head's graph is built in each evaluation

import torch
from torch import nn
from torchvision import models

held_out = torch.utils.data.DataLoader(torch.load("held_out.pt", map_location="cpu"), 64)
train_loader = torch.utils.data.DataLoader(torch.load("train.pt", map_location="cpu"), 64, shuffle=True)


def fitted(net):
    opt = torch.optim.Adam([p for p in net.parameters() if p.requires_grad])
    for x, y in train_loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
        opt.step()
    net.eval()
    return net


first = models.resnet18(weights="DEFAULT").cuda()
for p in first.parameters():
    p.requires_grad = False
first.fc = nn.Linear(512, 2).cuda()
fitted(first)
for x, _ in held_out:
    print(first(x.cuda()).argmax(1))  #! MEM201 error

second = models.vgg16(weights="DEFAULT").cuda()
second.requires_grad_(False)
second.classifier[6] = nn.Linear(4096, 2).cuda()
fitted(second)
for x, _ in held_out:
    print(second(x.cuda()).argmax(1))  #! MEM201 error


def main():
    third = models.vit_b_16(weights="DEFAULT").cuda()
    for p in third.parameters():
        p.requires_grad = False
    third.heads.head = nn.Linear(768, 2).cuda()
    fitted(third)
    for x, _ in held_out:
        print(third(x.cuda()).argmax(1))  #! MEM201 error


main()
