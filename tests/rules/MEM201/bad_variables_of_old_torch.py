# `torch.autograd.Variable` asks for no gradients

import os

import numpy as np
import pretrainedmodels
import pretrainedmodels.utils as utils
import torch

model = pretrainedmodels.__dict__["resnet101"](num_classes=1000, pretrained="imagenet")
model.cuda()


def extract(images):
    batch = torch.autograd.Variable(torch.stack(images), requires_grad=False).cuda()
    return model.features(batch)


def validate(net, loader):
    net.eval()
    correct = 0
    for x, y in loader:
        x, y = torch.autograd.Variable(x.cuda()), torch.autograd.Variable(y.cuda())
        correct += (net(x).max(1)[1] == y).sum().item()  #! MEM201
    return correct


names, load = os.listdir("images"), utils.LoadTransformImage(model)
for i in range(0, len(names), 32):
    images = [load(name) for name in names[i : i + 32]]
    features = extract(images)  #! MEM201
    np.save(f"{i}.npy", features.cpu().data.numpy())
