"""Generator and critic, each with its optimizer; the score at the end builds autograd graphs."""

import torch, torch.nn as nn

generator = nn.Sequential(nn.Linear(16, 128), nn.ReLU(), nn.Linear(128, 64))
critic = nn.Sequential(nn.Linear(64, 128), nn.LeakyReLU(0.2), nn.Linear(128, 1))
gen_opt = torch.optim.Adam(generator.parameters(), 1e-3)
critic_opt = torch.optim.Adam(critic.parameters(), 1e-3)
bce = nn.BCEWithLogitsLoss()


def score(batches):
    generator.eval()
    critic.eval()
    total = 0.0
    for _ in range(batches):
        total += critic(generator(torch.randn(4096, 16))).mean().item()
    return total / batches


for step in range(20):
    generator.train()
    critic.train()
    real = torch.randn(64, 64)
    fake = generator(torch.randn(64, 16))
    critic_loss = bce(critic(real), torch.ones(64, 1)) + bce(critic(fake.detach()), torch.zeros(64, 1))
    critic_opt.zero_grad()
    critic_loss.backward()
    critic_opt.step()
    gen_loss = bce(critic(fake), torch.ones(64, 1))
    gen_opt.zero_grad()
    gen_loss.backward()
    gen_opt.step()
print(score(4))
