# functions of libraries run the network that they are given

import torch
import torch.nn as nn
from monai.inferers import sliding_window_inference
from torchdiffeq import odeint


def validate(model, loader, metric):
    model.eval()
    for batch in loader:
        outputs = sliding_window_inference(batch["image"].cuda(), (96, 96, 96), 4, model)  #! MEM201 error
        metric(outputs.argmax(1), batch["label"])
    return metric.aggregate().item()


def by_keywords(model, loader, metric):
    model.eval()
    for batch in loader:
        given = batch["image"].cuda()
        outputs = sliding_window_inference(inputs=given, roi_size=96, sw_batch_size=4, predictor=model)  #! MEM201 error
        metric(outputs.argmax(1), batch["label"])
    return metric.aggregate().item()


class Derivative(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 50), nn.Tanh(), nn.Linear(50, 2))

    def forward(self, t, y):
        return self.net(y ** 3)


def train(first, whole, times, get_batch, steps):
    func = Derivative().cuda()
    optimizer = torch.optim.RMSprop(func.parameters(), lr=1e-3)
    for step in range(steps):
        optimizer.zero_grad()
        start, at, wanted = get_batch()
        loss = (odeint(func, start.cuda(), at.cuda()) - wanted.cuda()).abs().mean()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            error = (odeint(func, first, times) - whole).abs().mean()  #! MEM201 warning
            print(step, error.item())
