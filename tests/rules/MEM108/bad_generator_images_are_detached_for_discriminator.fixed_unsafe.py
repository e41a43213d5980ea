# function called from main: the generator's images are detached for the discriminator

import torch
import torch.nn as nn


def train(G, D, loader, epochs=2):
    bce = nn.BCEWithLogitsLoss()
    opt_g = torch.optim.Adam(G.parameters(), 2e-4)
    opt_d = torch.optim.Adam(D.parameters(), 2e-4)
    for _ in range(epochs):
        for real in loader:
            ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
            fake = G(torch.randn(len(real), 8))
            d_loss = bce(D(real), ones) + bce(D(fake.detach()), zeros)
            opt_d.zero_grad()
            d_loss.backward()
            opt_d.step()
            g_loss = bce(D(fake), ones)
            opt_g.zero_grad()
            g_loss.backward()
            opt_g.step()


def main():
    G, D = nn.Linear(8, 20), nn.Linear(20, 1)
    train(G, D, [torch.randn(6, 20) for _ in range(10)])


if __name__ == "__main__":
    main()
