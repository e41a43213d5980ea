# a loop over the parameters takes the place of an optimizer, and nothing sets their gradients back

import torch

model = torch.nn.Sequential(torch.nn.Linear(5, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
lr = 0.05
for x, y in zip(torch.randn(60, 8, 5), torch.randn(60, 8, 1)):
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()  #! MEM121 error
    for p in model.parameters():
        p.data -= lr * p.grad
