# both optimizers get what `filter` leaves, and each network gives a pair

import torch
from networks import Discriminator, Generator


class Trainer:
    def __init__(self, loader, options):
        self.loader = loader
        self.G, self.D = Generator(options).cuda(), Discriminator(options).cuda()
        wanted = filter(lambda p: p.requires_grad, self.G.parameters())
        self.g_optimizer = torch.optim.Adam(wanted, 1e-4)
        self.d_optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, self.D.parameters()), 4e-4)

    def reset_grad(self):
        self.d_optimizer.zero_grad()
        self.g_optimizer.zero_grad()

    def train(self):
        self.D.train()
        self.G.train()
        for real in self.loader:
            right, _ = self.D(real.cuda())
            fake, _ = self.G(torch.randn(real.size(0), 128, device="cuda"))
            wrong, _ = self.D(fake)  #! MEM204 warning
            loss = torch.relu(1 - right).mean() + torch.relu(1 + wrong).mean()
            self.reset_grad()
            loss.backward()
            self.d_optimizer.step()
            fake, _ = self.G(torch.randn(real.size(0), 128, device="cuda"))
            judged, _ = self.D(fake)
            loss = -judged.mean()
            self.reset_grad()
            loss.backward()
            self.g_optimizer.step()


if __name__ == "__main__":
    Trainer(get_loader(), get_options()).train()
