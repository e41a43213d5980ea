# one backward and one step in the whole script

import torch

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss = model(torch.randn(8, 4)).mean()
loss.backward()
optimizer.step()
for name, p in model.named_parameters():
    print(name, p.grad.norm())
