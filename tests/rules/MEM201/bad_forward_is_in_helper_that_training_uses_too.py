# the forward is in a helper that training uses too

import torch
import torch.nn.functional as F

encoder = torch.nn.GRU(8, 32, batch_first=True)
head = torch.nn.Linear(32, 2)
optimizer = torch.optim.Adam([*encoder.parameters(), *head.parameters()])


def run_batch(x, y):
    states, _ = encoder(x)
    logits = head(states[:, -1])
    return F.cross_entropy(logits, y), logits


def train(batches):
    encoder.train()
    for x, y in batches:
        loss, _ = run_batch(x, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def test(batches):
    encoder.eval()
    total = 0.0
    for x, y in batches:
        loss, logits = run_batch(x, y)  #! MEM201 error
        total += loss.item()
    return total / len(batches)


batches = [(torch.randn(4, 5, 8), torch.randint(0, 2, (4,))) for _ in range(10)]
train(batches)
print(test(batches))
