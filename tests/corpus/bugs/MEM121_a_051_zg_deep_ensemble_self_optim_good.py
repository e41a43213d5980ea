import numpy as np
import torch


class DynamicsModel:
    def __init__(self, networks, lr=1e-3):
        self.networks = networks
        self.optims = [torch.optim.Adam(n.parameters(), lr) for n in networks]

    def update(self, obs, act, nxt, batch_size=256, epochs=5):
        n = len(obs)
        for k, net in enumerate(self.networks):
            opt = self.optims[k]
            for _ in range(epochs):
                perm = np.random.permutation(n)
                for s in range(0, n, batch_size):
                    idx = perm[s:s + batch_size]
                    mean, logvar = net(obs[idx], act[idx])
                    loss = (((mean - nxt[idx]) ** 2) * (-logvar).exp() + logvar).mean()
                    opt.zero_grad()
                    loss.backward()
                    opt.step()
        return float(loss)
