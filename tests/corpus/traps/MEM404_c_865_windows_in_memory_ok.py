import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    """Sliding windows over one array that is in memory."""

    def __init__(self, series, width):
        self.series = torch.as_tensor(series, dtype=torch.float32)
        self.width = width

    def __len__(self):
        return len(self.series) - self.width

    def __getitem__(self, i):
        return self.series[i : i + self.width], self.series[i + self.width]


def main():
    series = np.sin(np.linspace(0, 300, 20000))
    loader = DataLoader(Windows(series, 48), batch_size=128, shuffle=True)
    net = torch.nn.Sequential(torch.nn.Linear(48, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1))
    opt = torch.optim.Adam(net.parameters())
    for epoch in range(10):
        for x, y in loader:
            opt.zero_grad()
            loss = torch.nn.functional.mse_loss(net(x).squeeze(-1), y)
            loss.backward()
            opt.step()


if __name__ == "__main__":
    main()
