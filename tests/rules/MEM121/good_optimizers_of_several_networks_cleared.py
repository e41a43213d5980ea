# optimizers of several networks cleared by a comprehension over a dictionary

import torch

nets = {"a": torch.nn.Linear(2, 2), "b": torch.nn.Linear(2, 2)}
optims = {k: torch.optim.SGD(n.parameters(), lr=0.1) for k, n in nets.items()}
for step in range(20):
    [opt.zero_grad() for opt in optims.values()]
    loss = nets["b"](nets["a"](torch.randn(3, 2))).pow(2).sum()
    loss.backward()
    for opt in optims.values():
        opt.step()
