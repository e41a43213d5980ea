import torch


def fomaml(model, tasks, opt, inner_lr, k):
    opt.zero_grad()
    total = 0.0
    for xs, ys, xq, yq in tasks:
        fast = {n: p for n, p in model.named_parameters()}
        for _ in range(k):
            inner = torch.nn.functional.mse_loss(torch.func.functional_call(model, fast, xs), ys)
            grads = torch.autograd.grad(inner, list(fast.values()), create_graph=True)
            fast = {n: p - inner_lr * g for (n, p), g in zip(fast.items(), grads)}
        total = total + torch.nn.functional.mse_loss(torch.func.functional_call(model, fast, xq), yq)
    (total / len(tasks)).backward()
    opt.step()
    return total.item()
