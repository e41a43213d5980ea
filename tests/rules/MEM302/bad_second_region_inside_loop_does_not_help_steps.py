# a second region inside the loop does not help; steps in a closure

import torch

policy = torch.nn.GRU(6, 6).cuda()
optimizer = torch.optim.AdamW(policy.parameters())


def learn(sequence):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        output, _ = policy(sequence)
        loss = output.float().std()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


ctx = torch.autocast("cuda", dtype=torch.bfloat16)
with ctx:  #! MEM302 error
    for step in range(100):
        learn(torch.randn(10, 2, 6, device="cuda"))
