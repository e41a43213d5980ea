# claim: TIME, expected: not_measurable (there is no copy to a GPU on the CPU)
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    dataset = TensorDataset(torch.randn(4_096, 3, 64, 64), torch.randint(0, 10, (4_096,)))
    loader = DataLoader(dataset, batch_size=128, shuffle=True, num_workers=2)
    model = nn.Sequential(nn.Flatten(), nn.Linear(3 * 64 * 64, 10)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for x, y in loader:
        x = x.to(device, non_blocking=True)
        y = y.to(device, non_blocking=True)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


if __name__ == "__main__":
    main()
