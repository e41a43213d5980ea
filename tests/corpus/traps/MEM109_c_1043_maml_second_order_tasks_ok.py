import learn2learn as l2l
import torch
import torch.nn.functional as F
from torch.func import functional_call


def inner(model, params, x, y, lr, steps):
    for _ in range(steps):
        loss = F.mse_loss(functional_call(model, params, (x,)), y)
        grads = torch.autograd.grad(loss, tuple(params.values()), create_graph=True)
        params = {k: p - lr * g for (k, p), g in zip(params.items(), grads)}
    return params


def meta_train(model, sampler, iters=1000, meta_batch=16):
    opt = torch.optim.Adam(model.parameters(), 1e-3)
    trace = []
    for it in range(iters):
        outer = 0.0
        for xs, ys, xq, yq in sampler(meta_batch):
            fast = inner(model, dict(model.named_parameters()), xs, ys, 0.01, 3)
            outer = outer + F.mse_loss(functional_call(model, fast, (xq,)), yq)
        opt.zero_grad()  #? MEM122
        (outer / meta_batch).backward()
        opt.step()
        trace.append(outer.item() / meta_batch)
    return trace


def meta_train_l2l(model, tasks):
    maml = l2l.algorithms.MAML(model, lr=0.5)
    opt = torch.optim.Adam(maml.parameters(), 4e-3)
    for it in range(100):
        opt.zero_grad()
        err = 0.0
        for task in tasks:
            learner = maml.clone()
            learner.adapt(F.mse_loss(learner(task[0]), task[1]))
            q = F.mse_loss(learner(task[2]), task[3])
            q.backward()
            err += q.item()
        for p in maml.parameters():
            p.grad.data.mul_(1.0 / len(tasks))
        opt.step()
