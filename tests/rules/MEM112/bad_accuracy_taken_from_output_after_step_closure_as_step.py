# accuracy taken from the output after the step; a closure as the step

import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 14 * 14, 5000))
optim = torch.optim.SGD(net.parameters(), lr=0.05)
criterion = nn.CrossEntropyLoss()
data = [(torch.randn(8, 3, 16, 16), torch.randint(0, 5000, (8,))) for _ in range(6)]


def main():
    seen = right = 0

    def one_step(x, y):
        out = net(x)
        loss = criterion(out, y)  #! MEM112 advice
        optim.zero_grad()
        loss.backward()
        optim.step()
        return (out.argmax(1) == y).sum().item()

    for x, y in data:
        right += one_step(x, y)
        seen += len(y)
    print(right / seen)


main()
