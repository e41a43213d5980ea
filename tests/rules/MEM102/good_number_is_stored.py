# the number is stored

import torch

model = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
losses, history = [], {"train": []}
for i in range(100):
    opt.zero_grad()
    loss = model(torch.randn(8, 4)).pow(2).mean()
    loss.backward()
    opt.step()
    losses.append(loss.item())
    history["train"].append(float(loss))
