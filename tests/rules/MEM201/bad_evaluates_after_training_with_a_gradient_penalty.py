# a penalty on gradients is the training loop's: what the same function makes afterwards needs no graph

import numpy as np
import torch

from parts import Critic, Generator, gradient_penalty


def main(loader, device):
    generator = Generator().to(device)
    critic = Critic().to(device)
    of_generator = torch.optim.Adam(generator.parameters(), lr=1e-4)
    of_critic = torch.optim.Adam(critic.parameters(), lr=1e-4)
    for epoch in range(20):
        for real in loader:
            real = real.to(device)
            of_critic.zero_grad()
            with torch.no_grad():
                fake = generator(torch.randn(len(real), 64, device=device))
            penalty = gradient_penalty(critic, real, fake)
            loss = critic(fake).mean() - critic(real).mean() + 10 * penalty
            loss.backward()
            of_critic.step()
            of_generator.zero_grad()
            (-critic(generator(torch.randn(len(real), 64, device=device))).mean()).backward()
            of_generator.step()
    generator.eval()
    made = []
    for _ in range(100):
        noise = torch.randn(1, 64, device=device)
        made.append(generator(noise).detach().cpu().numpy())  #! MEM201 error
    np.save("made.npy", np.concatenate(made))
