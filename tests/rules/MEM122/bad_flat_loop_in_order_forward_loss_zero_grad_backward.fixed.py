# flat loop in the order forward, loss, zero_grad, backward, step

import torch

model = torch.nn.Sequential(torch.nn.Linear(3, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1))
loss_fn = torch.nn.MSELoss(reduction="sum")
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
x = torch.linspace(-1, 1, 200)
xx = x.unsqueeze(-1).pow(torch.tensor([1, 2, 3]))
for t in range(500):
    optimizer.zero_grad()
    y_pred = model(xx)
    loss = loss_fn(y_pred, torch.sin(x).unsqueeze(-1))
    if t % 100 == 99:
        print(t, loss.item())
    loss.backward()
    optimizer.step()
