import torch
from torch import nn


class SessionRanker(nn.Module):
    def __init__(self, n_items, hidden=100):
        super().__init__()
        self.emb = nn.Embedding(n_items, hidden)
        self.cell = nn.GRUCell(hidden, hidden)
        self.out = nn.Linear(hidden, n_items)

    def forward(self, item, h):
        h = self.cell(self.emb(item), h)
        return self.out(h), h


@torch.no_grad()
def score_sessions(model, sessions, hidden, device):
    model.eval()
    ranks = []
    for items in sessions:
        h = torch.zeros(1, hidden, device=device)
        for cur, nxt in zip(items[:-1], items[1:]):
            scores, h = model(torch.tensor([cur], device=device), h)
            ranks.append((scores > scores[0, nxt]).sum().item() + 1)
    return sum(1.0 / r for r in ranks) / len(ranks)
