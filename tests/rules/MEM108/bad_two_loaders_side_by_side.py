# each loss has a graph of its own, though the batches of two loaders come from one loop

import torch
import torch.nn.functional as F


class Pair:
    def __init__(self, make_generator, make_critic):
        self.g, self.d = make_generator().cuda(), make_critic().cuda()
        self.g_opt = torch.optim.Adam(self.g.parameters(), 2e-4)
        self.d_opt = torch.optim.Adam(self.d.parameters(), 2e-4)

    def fit(self, first, second):
        for a, b in zip(first, second):
            a, b = a.cuda(), b.cuda()
            fake = self.g(a)
            loss = ((self.d(fake) - 1) ** 2).mean() + F.l1_loss(fake, b)
            self.g_opt.zero_grad()
            loss.backward(retain_graph=True)  #! MEM108 warning
            self.g_opt.step()
            real = (self.d(fake.detach()) ** 2).mean() + ((self.d(b) - 1) ** 2).mean()
            self.d_opt.zero_grad()
            real.backward()
            self.d_opt.step()
