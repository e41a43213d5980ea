# inputs and targets carry no graph

import torch

model = torch.nn.Linear(3, 3)
opt = torch.optim.Adam(model.parameters())
seen, labels = [], []
for step in range(30):
    x, y = torch.randn(5, 3), torch.randint(0, 3, (5,))
    loss = torch.nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    seen.append(x)
    labels.append(y.cpu())
