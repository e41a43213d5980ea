import torch


def train(G, D, dl, optG, optD, n_critic=5, c=0.01):
    it = iter(dl)
    for step in range(10000):
        for _ in range(n_critic):
            try:
                real = next(it)
            except StopIteration:
                it = iter(dl)
                real = next(it)
            D.zero_grad()
            fake = G(torch.randn(len(real), 64)).detach()
            w = D(real).mean() - D(fake).mean()
            (-w).backward()
            optD.step()
            for p in D.parameters():
                p.data.clamp_(-c, c)
        G.zero_grad()
        g = -D(G(torch.randn(64, 64))).mean()
        g.backward()
        optG.step()
        if step % 100 == 0:
            print(step, w.item(), g.item())
