# The sum is of the parts of one window's loss, and the accuracies carry no graph.
import torch
import torch.nn.functional as F
from torch import nn

encoder = nn.GRU(16, 32, batch_first=True)
heads = nn.ModuleDict({"start": nn.Linear(32, 1), "end": nn.Linear(32, 1), "null": nn.Linear(32, 1)})
optimizer = torch.optim.AdamW([*encoder.parameters(), *heads.parameters()], lr=1e-3)

hits = 0
for step in range(100):
    tokens = torch.randn(4, 30, 16)
    gold = {name: torch.randint(30, (4,)) for name in heads}
    states, _ = encoder(tokens)
    train_loss = 0
    for name, head in heads.items():
        logits = head(states).squeeze(-1)
        train_loss += F.cross_entropy(logits, gold[name]) / len(heads)
        hits += (logits.argmax(1) == gold[name]).sum()
    train_loss.backward()
    optimizer.step()
    optimizer.zero_grad()
print(hits / 1200)
