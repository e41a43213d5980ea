# helper that the loop calls for every batch, with an early return instead of an if

import torch

model = torch.nn.Linear(8, 1)
sgd = torch.optim.SGD(model.parameters(), lr=0.01)
N_ACC = 4


def learn(index, inputs, answers):
    sgd.zero_grad()  #! MEM124 error
    error = (model(inputs) - answers).abs().mean().div(N_ACC)
    error.backward()
    if index % N_ACC != N_ACC - 1:
        return error.item()
    sgd.step()
    return error.item()


history = []
for n in range(40):
    history.append(learn(n, torch.randn(16, 8), torch.randn(16, 1)))
