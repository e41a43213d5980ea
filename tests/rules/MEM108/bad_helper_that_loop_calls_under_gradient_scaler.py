# helper that the loop calls, under a gradient scaler

import torch

model = torch.nn.Sequential(torch.nn.Linear(10, 40), torch.nn.SiLU(), torch.nn.Linear(40, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cuda", enabled=torch.cuda.is_available())


def learn_from(batch):
    error = (model(batch) - batch).pow(2).mean()
    scaler.scale(error).backward(retain_graph=True)  #! MEM108
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    return error.detach()


losses = [learn_from(torch.randn(12, 10)) for _ in range(25)]
print(torch.stack(losses).mean())
