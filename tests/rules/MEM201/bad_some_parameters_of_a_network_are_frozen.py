# frozen by name, or all but a block that is given its gradients back

import torch
from torch import nn
from torchvision import models

held_out = torch.utils.data.DataLoader(torch.load("held_out.pt", map_location="cpu"), 64)


def fitted(net):
    opt = torch.optim.Adam([p for p in net.parameters() if p.requires_grad])
    for x, y in torch.utils.data.DataLoader(torch.load("train.pt", map_location="cpu"), 64, shuffle=True):
        opt.zero_grad()
        nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
        opt.step()
    net.eval()
    return net


by_name, block = models.resnet18(weights="DEFAULT").cuda(), models.resnet50(weights="DEFAULT").cuda()
for name, p in by_name.named_parameters():
    if "fc" not in name:
        p.requires_grad = False
for p in block.parameters():
    p.requires_grad = False
for p in block.layer4.parameters():
    p.requires_grad = True
fitted(by_name)
for x, _ in held_out:
    print(by_name(x.cuda()).argmax(1))  #! MEM201 error
fitted(block)
for x, _ in held_out:
    print(block(x.cuda()).argmax(1))  #! MEM201 error
