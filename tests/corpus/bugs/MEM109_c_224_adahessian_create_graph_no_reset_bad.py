import torch
from torch import nn


def hessian_trace(model, samples, loss_fn):
    traces = []
    for x, y in samples:
        net = nn.Sequential(nn.Linear(10, model["width"]), nn.ReLU(), nn.Linear(model["width"], 2))
        loss = loss_fn(net(x), y)
        loss.backward(create_graph=True)  #! MEM109
        params = [p for p in net.parameters() if p.requires_grad]
        grads = [p.grad for p in params]
        v = [torch.randint_like(p, 2) * 2 - 1 for p in params]
        hv = torch.autograd.grad(grads, params, grad_outputs=v, only_inputs=True)
        traces.append(sum((a * b).sum().item() for a, b in zip(hv, v)))
    return sum(traces) / len(traces)


if __name__ == "__main__":
    data = [(torch.randn(16, 10), torch.randint(0, 2, (16,))) for _ in range(50)]
    print(hessian_trace({"width": 64}, data, nn.CrossEntropyLoss()))
