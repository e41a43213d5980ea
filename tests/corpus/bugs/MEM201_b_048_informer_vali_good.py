import os
import time

import numpy as np
import torch
from torch import nn, optim


class Exp_Basic:
    def __init__(self, args):
        self.args = args
        self.device = torch.device("cuda:{}".format(args.gpu))
        self.model = self._build_model().to(self.device)

    def _build_model(self):
        raise NotImplementedError


class Exp_Forecast(Exp_Basic):
    def _build_model(self):
        return nn.Sequential(nn.Flatten(), nn.Linear(self.args.seq_len * self.args.c, self.args.pred_len), nn.Unflatten(1, (-1, 1)))

    def _process(self, x, y):
        return self.model(x.float().to(self.device)), y[:, -self.args.pred_len:, -1:].float().to(self.device)

    def vali(self, loader, criterion):
        self.model.eval()
        total = []
        for i, (x, y) in enumerate(loader):
            with torch.no_grad():
                pred, true = self._process(x, y)
            total.append(criterion(pred, true).item())
        self.model.train()
        return float(sum(total)) / len(total)

    def train(self, train_loader, vali_loader):
        opt = optim.Adam(self.model.parameters(), lr=self.args.lr)
        criterion = nn.MSELoss()
        for epoch in range(self.args.epochs):
            losses = []
            t = time.time()
            for i, (x, y) in enumerate(train_loader):
                opt.zero_grad()
                pred, true = self._process(x, y)
                loss = criterion(pred, true)
                losses.append(loss.item())
                loss.backward()
                opt.step()
            v = self.vali(vali_loader, criterion)
            print("Epoch {} {:.1f}s | {:.5f} {:.5f}".format(epoch, time.time() - t, np.average(losses), v))
            torch.save(self.model.state_dict(), os.path.join(self.args.path, "checkpoint.pth"))
