import torch
from torch.nn import functional as F

torch.manual_seed(3)
N, D = 512, 20
X = torch.randn(N, D)
true_w = torch.randn(D, 3)
Y = (X @ true_w).argmax(1)

W = torch.zeros(D, 3, requires_grad=True)
b = torch.zeros(3, requires_grad=True)
opt = torch.optim.SGD([W, b], lr=0.5)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.999)

lambdas = [0.0, 1e-4, 1e-2]
results = {}
for lam in lambdas:
    with torch.no_grad():
        W.zero_()
        b.zero_()
    for it in range(1000):
        logits = X @ W + b
        nll = F.cross_entropy(logits, Y)
        loss = nll + lam * W.pow(2).sum()
        loss.backward()  #! MEM121
        opt.step()
        sched.step()
        if it % 250 == 0:
            acc = (logits.argmax(1) == Y).float().mean()
            print(f"lam {lam:g} it {it} loss {loss.item():.4f} acc {acc.item():.3f}")
    results[lam] = loss.item()

best = min(results, key=results.get)
print("best lambda", best, results[best])
w_norm = W.detach().norm(dim=0)
print("norms", w_norm.tolist())
