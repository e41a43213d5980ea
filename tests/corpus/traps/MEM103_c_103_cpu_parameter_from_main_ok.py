import torch
from torch.utils.data import DataLoader, TensorDataset


def run(model, loader, device):
    outs = []
    with torch.no_grad():
        for (x,) in loader:
            outs.append(model(x.to(device)))
    return torch.cat(outs)


def main(device="cpu"):
    loader = DataLoader(TensorDataset(torch.randn(64, 3)), batch_size=8)
    print(run(torch.nn.Linear(3, 3).to(device), loader, device).sum())


main()
