# a network in view makes tensors of arrays itself, another gets tensors that were arrays

import numpy as np
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 3)

    def forward(self, x):
        return self.layer(torch.as_tensor(x))


def own(loader):
    net = Net().eval()
    for data, _ in loader:
        print(net(data.numpy()).argmax())  #! MEM201 error


def given(model, loader):
    model.eval()
    for data, _ in loader:
        print(model(torch.from_numpy(np.asarray(data))).argmax())  #! MEM201 error
