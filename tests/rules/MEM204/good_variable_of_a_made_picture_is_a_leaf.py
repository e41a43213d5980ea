# Variable() gives a leaf: no gradient goes on to the generator

import torch
import torch.nn as nn
from torch.autograd import Variable

generator, discriminator = nn.Linear(8, 8), nn.Linear(8, 1)
generator_optimizer = torch.optim.Adam(generator.parameters())
discriminator_optimizer = torch.optim.Adam(discriminator.parameters())
for real in loader:
    fake = generator(torch.randn(len(real), 8))
    discriminator_optimizer.zero_grad()
    between = Variable(0.5 * real + 0.5 * fake, requires_grad=True)
    slope = torch.autograd.grad(discriminator(between).sum(), between, create_graph=True)[0]
    loss = discriminator(Variable(fake)).mean() - discriminator(real).mean() + slope.norm()
    loss.backward()
    discriminator_optimizer.step()
    generator_optimizer.zero_grad()
    (-discriminator(fake).mean()).backward()
    generator_optimizer.step()
