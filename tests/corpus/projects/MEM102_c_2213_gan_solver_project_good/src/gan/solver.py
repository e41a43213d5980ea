import torch

from .networks import Discriminator, Generator
from .objectives import hinge_d, hinge_g, r1_penalty


class Solver:
    def __init__(self, loader, device="cuda"):
        self.loader, self.device = loader, device
        self.G, self.D = Generator().to(device), Discriminator().to(device)
        self.g_opt = torch.optim.Adam(self.G.parameters(), 2e-4, (0.0, 0.99))
        self.d_opt = torch.optim.Adam(self.D.parameters(), 2e-4, (0.0, 0.99))
        self.logs = {"d": [], "g": []}

    def sample(self, n):
        return self.G(torch.randn(n, self.G.z, device=self.device))

    def update_d(self, real, step):
        with torch.no_grad():
            fake = self.sample(len(real))
        loss = hinge_d(self.D(real), self.D(fake))
        if step % 16 == 0:
            loss = loss + 10 * r1_penalty(self.D, real)
        self.d_opt.zero_grad()  #? MEM122
        loss.backward()
        self.d_opt.step()
        return loss

    def update_g(self, n):
        loss = hinge_g(self.D(self.sample(n)))
        self.g_opt.zero_grad()  #? MEM122
        loss.backward()
        self.g_opt.step()
        return loss

    def run(self, epochs):
        step = 0
        for _ in range(epochs):
            for real, _ in self.loader:
                real = real.to(self.device)
                self.logs["d"].append(self.update_d(real, step).item())
                self.logs["g"].append(self.update_g(len(real)).item())
                step += 1
            self.snapshot()

    @torch.no_grad()
    def snapshot(self):
        self.G.eval()
        torch.save(self.sample(64).cpu(), "samples.pt")
        self.G.train()
