import torch
from mmengine.optim import OptimWrapper
from torch import nn


class Detector(nn.Module):
    def train_step(self, data, optim_wrapper):
        with optim_wrapper.optim_context(self):
            losses = self(*data)
        parsed = sum(v.mean() for v in losses.values())
        optim_wrapper.update_params(parsed)
        return {k: v.item() for k, v in losses.items()}


def main(model, loader, epochs):
    optim = OptimWrapper(optimizer=torch.optim.SGD(model.parameters(), lr=0.01), clip_grad=dict(max_norm=35))
    logs = []
    for epoch in range(epochs):
        model.train()
        for data in loader:
            logs.append(model.train_step(data, optim))
        print(epoch, logs[-1])
