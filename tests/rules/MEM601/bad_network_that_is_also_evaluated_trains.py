# evaluation mode alone says nothing: one network goes back to training, the weights of the other are stepped

import torch
import torch.nn.functional as F
from torchvision.models import resnet18

first = torch.nn.DataParallel(resnet18()).cuda()  #! MEM601


def another():
    return torch.nn.DataParallel(resnet18()).cuda()  #! MEM601


second = another()
optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.1)
second.eval()


def train(loader):
    for images, labels in loader:
        first.train()
        loss = F.cross_entropy(first(images.cuda()) + second(images.cuda()), labels.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    first.eval()
