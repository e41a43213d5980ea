# validation function with the graph on, meter created inside

import torch
import torch.nn.functional as F


class RunningMean:
    def __init__(self):
        self.total, self.n = 0.0, 0

    def add(self, v):
        self.total = self.total + v
        self.n += 1

    def mean(self):
        return self.total / max(self.n, 1)


def validate(val_loader, model):
    meter = RunningMean()
    model.eval()
    for images, target in val_loader:
        output = model(images)
        loss = F.cross_entropy(output, target)
        meter.add(loss)  #! MEM105 error
    return meter.mean()


print(validate([(torch.randn(2, 6), torch.randint(0, 3, (2,)))] * 5, torch.nn.Linear(6, 3)).item())
