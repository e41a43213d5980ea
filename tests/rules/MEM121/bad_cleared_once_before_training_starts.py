# cleared once, before training starts

import torch
from torch import nn


def main():
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    optimizer.zero_grad()
    for epoch in range(5):
        for step in range(50):
            inputs, labels = torch.randn(16, 8), torch.randint(0, 2, (16,))
            loss = criterion(model(inputs), labels)
            loss.backward()  #! MEM121 error
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
