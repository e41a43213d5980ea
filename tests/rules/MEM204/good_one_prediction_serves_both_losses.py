# a detached sample would leave the generator without gradients: both losses share the prediction

import torch

gen, dis = torch.nn.Linear(4, 8), torch.nn.Linear(8, 1)
opt_g, opt_d = torch.optim.Adam(gen.parameters()), torch.optim.Adam(dis.parameters())
for _ in range(100):
    score = dis(gen(torch.randn(16, 4)))
    loss_d = score.mean() - dis(torch.randn(16, 8)).mean()
    loss_g = -score.mean()
    opt_d.zero_grad()
    loss_d.backward(retain_graph=True)
    opt_g.zero_grad()
    loss_g.backward()
    opt_d.step()
    opt_g.step()
