# claim: TIME, expected: confirmed (two workers are started for every step)
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = TensorDataset(torch.randn(3200, 32), torch.randint(0, 4, (3200,)))
    loader = DataLoader(data, batch_size=32, shuffle=True, num_workers=2)
    model = nn.Linear(32, 4).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(100):
        x, y = next(iter(loader))
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item())


if __name__ == "__main__":
    main()
