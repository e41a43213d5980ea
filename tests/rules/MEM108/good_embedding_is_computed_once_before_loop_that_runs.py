# the embedding is computed once, before the loop that runs backward through it

import torch

encoder, head = torch.nn.Linear(8, 8), torch.nn.Linear(8, 1)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
embedding = encoder(torch.randn(20, 8))
for _ in range(10):
    loss = head(embedding).pow(2).mean()
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
