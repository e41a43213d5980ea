# while loop over steps, another accelerator

import torch

policy = torch.nn.Linear(8, 2).to("xpu")
optimizer = torch.optim.Adam(policy.parameters())
step = 0
while step < 1000:
    obs = torch.randn(32, 8, device="xpu")
    loss = -policy(obs).logsumexp(1).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    step += 1
    torch.xpu.empty_cache()  #! MEM501
