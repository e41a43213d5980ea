# the step of training is a function of its own, the validation stands in the loop

import torch
import torch.nn.functional as F


def step(model, optimizer, x, y):
    model.train()
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    optimizer.step()


def run(data, epochs=50):
    model = torch.nn.Sequential(torch.nn.Linear(100, 50), torch.nn.ReLU(), torch.nn.Linear(50, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    best = 0.0
    for _ in range(epochs):
        step(model, optimizer, data.x, data.y)
        model.eval()
        scores = model(data.x_val)  #! MEM201 error
        best = max(best, (scores.argmax(1) == data.y_val).float().mean().item())
    return best
