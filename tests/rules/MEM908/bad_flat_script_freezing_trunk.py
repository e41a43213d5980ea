# flat script: freezing a trunk

import torch
import torchvision

net = torchvision.models.resnet18(weights="DEFAULT")
for parameter in net.parameters():
    parameter.require_grad = False  #! MEM908 error
net.fc = torch.nn.Linear(512, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
