# code out of view gets the GradScaler, as an argument or as an attribute

import torch
from networks import apply, build


def train(loader):
    model = build().cuda()
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for x in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(x.cuda()).mean()
        apply(loss, optimizer, scaler)


class Trainer:
    def __init__(self, model):
        self.model, self.optimizer = model.cuda(), torch.optim.Adam(model.parameters())
        self.scaler = torch.amp.GradScaler("cuda")

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def step(self, x):
        with torch.autocast("cuda", dtype=torch.float16):
            loss = self.model(x.cuda()).mean()
        self.backward(loss)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
