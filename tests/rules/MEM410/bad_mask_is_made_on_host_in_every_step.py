# a mask is made on the host in every step

import torch

gen = torch.nn.Linear(16, 8).cuda()
disc = torch.nn.Linear(8, 1).cuda()
opt = torch.optim.Adam(gen.parameters())


def generator_step(noise):
    real = torch.ones(64, 1, dtype=torch.float32).to("cuda")  #! MEM410 advice
    opt.zero_grad()
    torch.nn.functional.binary_cross_entropy_with_logits(disc(gen(noise)), real).backward()
    opt.step()


for step in range(1000):
    generator_step(torch.randn(64, 16, device="cuda"))
