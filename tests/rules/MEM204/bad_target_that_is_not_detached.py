# the other network only makes the target, whose gradients are cleared before its own step

import torch
import torch.nn.functional as F


class Curiosity:
    def __init__(self):
        self.embed = torch.nn.Linear(8, 8)
        self.inverse = torch.nn.Linear(16, 2)
        self.forward_model = torch.nn.Linear(10, 8)
        self.inverse_opt = torch.optim.Adam([*self.embed.parameters(), *self.inverse.parameters()])
        self.forward_opt = torch.optim.Adam(self.forward_model.parameters())

    def update(self, state, action, after):
        guess = self.inverse(torch.cat([self.embed(state), self.embed(after)], 1))
        self.inverse_opt.zero_grad()
        F.cross_entropy(guess, action).backward()
        self.inverse_opt.step()
        code = self.embed(state).detach()
        expected = self.forward_model(torch.cat([code, F.one_hot(action, 2).float()], 1))
        loss = F.mse_loss(expected, self.embed(after))  #! MEM204 warning
        self.forward_opt.zero_grad()
        loss.backward()
        self.forward_opt.step()


curiosity = Curiosity()
for _ in range(100):
    curiosity.update(torch.randn(4, 8), torch.randint(2, (4,)), torch.randn(4, 8))
