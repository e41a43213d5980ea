# item() takes the number out of the graph

import torch

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
running_loss = 0.0
for i in range(100):
    optimizer.zero_grad()
    loss = model(torch.randn(8, 4)).pow(2).mean()
    loss.backward()
    optimizer.step()
    running_loss += loss.item() * 8
print(running_loss)
