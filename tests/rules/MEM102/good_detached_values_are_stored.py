# detached values are stored

import torch

model = torch.nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
preds, losses, rows = [], [], []
for x in torch.randn(50, 8, 4):
    out = model(x)
    loss = out.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.detach())
    preds.append(out.detach().cpu().numpy())
    rows.append({"loss": loss.data.cpu(), "pred": out.detach()})
