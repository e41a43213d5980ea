# a moving baseline that the loss itself uses

import torch

policy = torch.nn.Linear(4, 1)
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
baseline = torch.zeros(1)
for step in range(60):
    value = policy(torch.randn(16, 4)).mean(0)
    baseline = 0.9 * baseline + 0.1 * value  #! MEM107 error
    loss = (value - baseline).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
