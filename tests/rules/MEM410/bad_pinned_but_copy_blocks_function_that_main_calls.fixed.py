# pinned, but the copy blocks; a function that main calls

import torch
from torch.utils import data


def run_epoch(model, loader, optimizer, device):
    for x, y in loader:
        x = x.to(device, non_blocking=True)
        y = y.to(device, non_blocking=True)
        loss = (model(x) - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    device = torch.device("cuda:0")
    points = data.TensorDataset(torch.randn(1000, 8), torch.randn(1000, 1))
    loader = data.DataLoader(points, batch_size=100, pin_memory=True)
    model = torch.nn.Linear(8, 1).to(device)
    run_epoch(model, loader, torch.optim.Adam(model.parameters()), device)


if __name__ == "__main__":
    main()
