import torch


def flat_grads(params):
    return torch.cat([p.grad.flatten() for p in params])


def pcgrad_step(losses, params, optimizer):
    grads = []
    for loss in losses:
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        grads.append(flat_grads(params).clone())
    merged = torch.zeros_like(grads[0])
    for i, g in enumerate(grads):
        g = g.clone()
        for j, h in enumerate(grads):
            dot = g @ h
            if i != j and dot < 0:
                g -= dot / h.norm() ** 2 * h
        merged += g
    k = 0
    for p in params:
        p.grad = merged[k:k + p.numel()].view_as(p)
        k += p.numel()
    optimizer.step()


def train(model, loader, tasks, opt):
    params = [p for p in model.parameters()]
    for x, ys in loader:
        outs = model(x)
        pcgrad_step([t(o, y) for t, o, y in zip(tasks, outs, ys)], params, opt)
