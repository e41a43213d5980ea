# the model ends in a log-softmax: log_softmax saves its own result for backward: the named output is that
# very tensor

import torch
import torch.nn as nn
import torch.nn.functional as F


class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(784, 10)

    def forward(self, x):
        x = self.fc(x.flatten(1))
        return F.log_softmax(x, dim=1)


def train(model, loader, optimizer):
    for data, target in loader:
        optimizer.zero_grad()
        output = model(data)
        loss = F.nll_loss(output, target)
        loss.backward()
        optimizer.step()


model = Digits()
batches = [(torch.randn(4, 1, 28, 28), torch.randint(0, 10, (4,)))]
train(model, batches, torch.optim.Adadelta(model.parameters()))
