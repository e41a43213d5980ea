"""Two towers over tables of two million rows: embedding bags, contrastive scores of a batch, Adagrad."""

import torch
import torch.nn.functional as F
from torch import nn

ROWS, WIDTH, BATCH, PICKED = 2_000_000, 64, 4096, 20


class Tower(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.EmbeddingBag(ROWS, WIDTH, mode="mean")
        self.one = nn.Embedding(ROWS // 10, WIDTH)
        self.layers = nn.Sequential(nn.Linear(2 * WIDTH, 256), nn.ReLU(), nn.Linear(256, WIDTH))

    def forward(self, bag, single):
        return F.normalize(self.layers(torch.cat([self.table(bag), self.one(single)], 1)), dim=1)


torch.manual_seed(0)
users, items = Tower().cuda(), Tower().cuda()
optimizer = torch.optim.Adagrad([*users.parameters(), *items.parameters()], lr=0.01)
for _ in range(4):
    bags = [torch.randint(0, ROWS, (BATCH, PICKED)).cuda() for _ in range(2)]
    ones = [torch.randint(0, ROWS // 10, (BATCH,)).cuda() for _ in range(2)]
    scores = users(bags[0], ones[0]) @ items(bags[1], ones[1]).t() / 0.07
    loss = F.cross_entropy(scores, torch.arange(BATCH, device="cuda"))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
