# claim: RESERVED, expected: not_measurable (it is about CUDA's caching allocator)
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = nn.Linear(64, 64).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(25):
        rows = [torch.randn(int(n), 64) for n in torch.randint(1, 500, (8,))]
        x = pad_sequence(rows, batch_first=True).to(device)
        optimizer.zero_grad()
        net(x).pow(2).mean().backward()
        optimizer.step()


if __name__ == "__main__":
    main()
