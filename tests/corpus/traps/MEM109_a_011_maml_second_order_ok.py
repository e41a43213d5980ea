import torch
import torch.nn.functional as F
from collections import OrderedDict


def inner_adapt(model, params, x, y, steps, lr):
    for _ in range(steps):
        loss = F.cross_entropy(model.functional_forward(x, params), y)
        grads = torch.autograd.grad(loss, params.values(), create_graph=True)
        params = OrderedDict((n, p - lr * g) for (n, p), g in zip(params.items(), grads))
    return params


def meta_train(model, task_batches, iterations, inner_steps=5, inner_lr=0.01):
    opt = torch.optim.Adam(model.parameters(), 1e-3)
    for it, tasks in zip(range(iterations), task_batches):
        outer_loss = 0.
        accuracies = []
        for sx, sy, qx, qy in tasks:
            adapted = inner_adapt(model, OrderedDict(model.named_parameters()), sx, sy, inner_steps, inner_lr)
            logits = model.functional_forward(qx, adapted)
            outer_loss = outer_loss + F.cross_entropy(logits, qy)
            accuracies.append((logits.argmax(1) == qy).float().mean().item())
        outer_loss = outer_loss / len(tasks)
        opt.zero_grad()
        outer_loss.backward()
        opt.step()
        if it % 50 == 0:
            print(it, outer_loss.item(), sum(accuracies) / len(accuracies))
