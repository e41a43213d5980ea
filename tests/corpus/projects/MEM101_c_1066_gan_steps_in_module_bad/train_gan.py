import torch

from gan.networks import D, G, weights_init
from gan.steps import d_step, g_step

g, d = G().cuda(), D().cuda()
g.apply(weights_init)
d.apply(weights_init)
opt_g = torch.optim.Adam(g.parameters(), 2e-4, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(d.parameters(), 2e-4, betas=(0.5, 0.999))
loader = torch.utils.data.DataLoader(torch.load("mnist.pt"), 128, shuffle=True, drop_last=True)
d_total = g_total = 0
for epoch in range(50):
    for real in loader:
        z = torch.randn(128, 64, device="cuda")
        ld = d_step(g, d, opt_d, real.cuda().view(128, -1), z)  #= MEM204
        lg = g_step(g, d, opt_g, z)
        d_total += ld  #! MEM101
        g_total += lg  #! MEM101
    print(epoch, float(d_total), float(g_total))
