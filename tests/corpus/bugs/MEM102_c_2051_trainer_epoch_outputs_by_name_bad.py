# A trainer for constrained problems whose problem returns a dict of everything under prefixed names.
from contextlib import nullcontext

import numpy as np
import torch
from torch import nn


class Problem(nn.Module):
    def __init__(self, net, penalty=1.0):
        super().__init__()
        self.net, self.penalty = net, penalty

    def forward(self, data):
        y = self.net(data["x"])
        output = {"y": y, "objective": (y - data["x"].sum(1, keepdim=True)).pow(2).mean()}
        output["constraint"] = self.penalty * torch.relu(y - 1).mean()
        output["loss"] = output["objective"] + output["constraint"]
        return {f"{data['name']}_{k}": v for k, v in output.items()}


class Trainer:
    def __init__(self, problem, optimizer, epochs=50, patience=5):
        self.problem, self.optimizer = problem, optimizer
        self.epochs, self.patience = epochs, patience
        self.history = []
        self.best = np.finfo(np.float32).max

    def train(self, data):
        for epoch in range(self.epochs):
            losses = []
            for batch in data:
                with nullcontext():
                    output = self.problem(batch)
                self.optimizer.zero_grad()
                output["train_loss"].backward()
                self.optimizer.step()
                losses.append(output["train_loss"])  #? MEM102
            output["mean_train_loss"] = torch.mean(torch.stack(losses))
            self.history.append(output)  #! MEM102
            print(epoch, float(output["mean_train_loss"]))
        return self.history


net = nn.Sequential(nn.Linear(4, 50), nn.SiLU(), nn.Linear(50, 1))
rows = [{"x": torch.rand(64, 4), "name": "train"} for _ in range(20)]
Trainer(Problem(net), torch.optim.Adam(net.parameters())).train(rows)
