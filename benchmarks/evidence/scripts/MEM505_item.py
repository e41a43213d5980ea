# claim: TIME, expected: not_measurable (on the CPU nothing is queued, so nothing waits)
import torch
from torch import nn


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(64, 10).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    total = 0.0
    for _ in range(25):
        x, y = torch.randn(32, 64).to(device), torch.randint(0, 10, (32,)).to(device)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(total)


if __name__ == "__main__":
    main()
