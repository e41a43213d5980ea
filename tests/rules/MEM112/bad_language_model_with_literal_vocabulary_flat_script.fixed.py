# language model with a literal vocabulary, flat script

import torch
import torch.nn.functional as F
from torch import nn

VOCAB = 50257
embed = nn.Embedding(VOCAB, 128)
body = nn.GRU(128, 128, batch_first=True)
head = nn.Linear(128, VOCAB)
params = [*embed.parameters(), *body.parameters(), *head.parameters()]
optimizer = torch.optim.AdamW(params, lr=3e-4)

for step in range(100):
    tokens = torch.randint(0, VOCAB, (2, 33))
    hidden, _ = body(embed(tokens[:, :-1]))
    logits = head(hidden)
    loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
    optimizer.zero_grad()
    del logits
    loss.backward()
    optimizer.step()
    print(step, loss.item())
