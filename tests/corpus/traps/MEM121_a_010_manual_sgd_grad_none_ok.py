import torch
import torch.nn.functional as F

words = open("names.txt").read().split()
chars = sorted(set("".join(words)))
stoi = {c: i + 1 for i, c in enumerate(chars)}
stoi["."] = 0
g = torch.Generator().manual_seed(42)
C = torch.randn((27, 10), generator=g)
W1 = torch.randn((30, 200), generator=g)
b1 = torch.randn(200, generator=g)
W2 = torch.randn((200, 27), generator=g)
parameters = [C, W1, b1, W2]
for p in parameters:
    p.requires_grad = True

X, Y = torch.load("pairs.pt")
lossi = []
for i in range(200000):
    ix = torch.randint(0, X.shape[0], (32,), generator=g)
    h = torch.tanh(C[X[ix]].view(-1, 30) @ W1 + b1)
    loss = F.cross_entropy(h @ W2, Y[ix])
    for p in parameters:
        p.grad = None
    loss.backward()
    lr = 0.1 if i < 100000 else 0.01
    for p in parameters:
        p.data += -lr * p.grad
    lossi.append(loss.log10().item())
