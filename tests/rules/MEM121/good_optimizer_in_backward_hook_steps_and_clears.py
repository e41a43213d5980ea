# optimizer in backward: a hook steps and clears

import torch

model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Linear(8, 1))
optimizers = {p: torch.optim.Adam([p], foreach=False) for p in model.parameters()}


def step_and_zero(parameter):
    optimizers[parameter].step()
    optimizers[parameter].zero_grad()


for p in model.parameters():
    p.register_post_accumulate_grad_hook(step_and_zero)
for _ in range(20):
    model(torch.randn(4, 8)).mean().backward()
