# Semi-supervised training: each labelled batch is paired with an unlabelled one.
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Noise(Dataset):
    def __init__(self, n, labelled):
        self.n, self.labelled = n, labelled

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        x = torch.randn(40)
        return (x, int(x.sum() > 0)) if self.labelled else x


def consistency(net, u):
    with torch.no_grad():
        target = net(u).softmax(1)
    return F.mse_loss(net(u + 0.1 * torch.randn_like(u)).softmax(1), target)


def train(labelled, unlabelled, net, optimizer, epochs=10):
    for epoch in range(epochs):
        for step, (x, y) in enumerate(labelled, start=1):
            u = next(iter(unlabelled))  #! MEM405
            loss = F.cross_entropy(net(x), y) + consistency(net, u)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"{epoch=} {step=} {loss.item()=:.4f}")


if __name__ == "__main__":
    net = nn.Sequential(nn.Linear(40, 64), nn.ReLU(), nn.Linear(64, 2))
    train(
        DataLoader(Noise(2000, True), 50, shuffle=True, num_workers=2),
        DataLoader(Noise(50_000, False), 200, shuffle=True, num_workers=4),
        net,
        torch.optim.SGD(net.parameters(), lr=0.05),
    )
