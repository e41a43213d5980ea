import torch
import torch.nn as nn

nets = {
    "G": nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 784), nn.Tanh()),
    "D": nn.Sequential(nn.Linear(784, 256), nn.LeakyReLU(0.2), nn.Linear(256, 1)),
}
optims = {k: torch.optim.Adam(m.parameters(), lr=2e-4, betas=(0.5, 0.999)) for k, m in nets.items()}
bce = nn.BCEWithLogitsLoss()
log = {"G": [], "D": []}


def d_step(real):
    z = torch.randn(real.size(0), 64)
    fake = nets["G"](z).detach()
    ones, zeros = torch.ones(real.size(0), 1), torch.zeros(real.size(0), 1)
    loss = bce(nets["D"](real), ones) + bce(nets["D"](fake), zeros)
    optims["D"].zero_grad()
    loss.backward()
    optims["D"].step()
    return loss


def g_step(n):
    z = torch.randn(n, 64)
    loss = bce(nets["D"](nets["G"](z)), torch.ones(n, 1))
    optims["G"].zero_grad()
    loss.backward()
    optims["G"].step()
    return loss


def fit(loader, epochs):
    for epoch in range(epochs):
        for x, _ in loader:
            x = x.view(x.size(0), -1)
            log["D"].append(d_step(x))  #! MEM102
            log["G"].append(g_step(x.size(0)))  #! MEM102
        print(epoch, float(log["D"][-1]), float(log["G"][-1]))
        torch.save({k: m.state_dict() for k, m in nets.items()}, f"gan_{epoch}.pt")
