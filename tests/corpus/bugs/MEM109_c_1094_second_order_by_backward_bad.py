import torch
import torch.nn as nn

model = nn.Sequential(nn.Linear(10, 64), nn.Softplus(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(model.parameters(), 1e-3)


def grad_norm_penalty(loss):
    loss.backward(create_graph=True)  #! MEM109
    return sum(p.grad.pow(2).sum() for p in model.parameters())


for x, y in torch.utils.data.DataLoader(torch.load("d.pt"), 64):
    optimizer.zero_grad()
    loss = (model(x) - y).pow(2).mean()
    pen = grad_norm_penalty(loss)
    optimizer.zero_grad()
    (loss + 0.1 * pen).backward()
    optimizer.step()
