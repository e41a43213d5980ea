# sums of NumPy arrays and of Python numbers

import numpy as np
import torch

net = torch.nn.Linear(3, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
confusion, grad_norm, n = np.zeros((3, 3)), 0.0, 0
for _ in range(10):
    x, y = torch.randn(8, 3), torch.randint(0, 3, (8,))
    out = net(x)
    loss = torch.nn.functional.cross_entropy(out, y)
    opt.zero_grad()
    loss.backward()
    grad_norm += torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    confusion += np.eye(3)[out.detach().argmax(1).numpy()].T @ np.eye(3)[y.numpy()]
    n += len(x)
print(confusion, grad_norm / n)
