# best epoch by validation accuracy, flat script

import torch

x, y = torch.randn(300, 12), torch.randint(0, 3, (300,))
model = torch.nn.Sequential(torch.nn.Linear(12, 40), torch.nn.ReLU(), torch.nn.Linear(40, 3))
opt = torch.optim.Adam(model.parameters())
best_acc, best = 0.0, None
for epoch in range(50):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(model(x[:200]), y[:200]).backward()
    opt.step()
    with torch.no_grad():
        acc = (model(x[200:]).argmax(1) == y[200:]).float().mean().item()
    if acc > best_acc:
        best_acc = acc
        best = {k: v.detach().cpu().clone() for k, v in model.state_dict().items()}
model.load_state_dict(best)
