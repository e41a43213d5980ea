# claim: GROWTH, expected: confirmed (the state carries the graph of all earlier batches)
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(16, 64, batch_first=True)
        self.head = nn.Linear(64, 8)

    def forward(self, x, state):
        out, state = self.rnn(x, state)
        return self.head(out), state


def score(model, loader, device):
    model.eval()
    state = None
    right = 0
    for x, y in loader:
        out, state = model(x.to(device), state)
        right += (out.argmax(-1) == y.to(device)).sum().item()
    return right


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
data = TensorDataset(torch.randn(800, 20, 16), torch.randint(0, 8, (800, 20)))
print(score(Tagger().to(device), DataLoader(data, batch_size=32), device))
