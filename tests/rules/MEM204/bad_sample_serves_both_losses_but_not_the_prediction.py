# each loss has a prediction of its own: the discriminator's can do with a detached sample

import torch

gen, dis = torch.nn.Linear(4, 8), torch.nn.Linear(8, 1)
opt_g, opt_d = torch.optim.Adam(gen.parameters()), torch.optim.Adam(dis.parameters())
for _ in range(100):
    fake = gen(torch.randn(16, 4))
    loss_d = dis(fake).mean() - dis(torch.randn(16, 8)).mean()  #! MEM204 warning
    opt_d.zero_grad()
    loss_d.backward(retain_graph=True)
    opt_d.step()
    loss_g = -dis(fake).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
