import pandas as pd
import torch
from torch import nn


class Prices:
    def __init__(self, csv, device):
        df = pd.read_csv(csv).dropna()
        self.x = torch.tensor(df.iloc[:, :-1].values, dtype=torch.float32, device=device)
        self.y = torch.tensor(df["price"].values).float().to(device)

    def batches(self, n):
        for i in torch.randperm(len(self.x)).split(n):
            yield self.x[i], self.y[i]


def main():
    data = Prices("prices.csv", "cuda")
    net = nn.Linear(data.x.shape[1], 1).cuda()
    opt = torch.optim.SGD(net.parameters(), 0.01)
    for x, y in data.batches(256):
        loss = nn.functional.mse_loss(net(x).squeeze(1), y)
        opt.zero_grad()
        loss.backward()
        opt.step()


main()
