# a method out of view gives samples with their graph: the generator learns through it in its own step

import torch
from nets import Discriminator, Generator

gen, dis = Generator().cuda(), Discriminator().cuda()
gen_opt, dis_opt = torch.optim.Adam(gen.parameters()), torch.optim.Adam(dis.parameters())
for x in loader:
    dis_opt.zero_grad()
    made = gen.decode(torch.randn(len(x), 8).cuda())
    loss = torch.relu(1 - dis(x.cuda())).mean() + torch.relu(1 + dis(made)).mean()  #! MEM204 warning
    loss.backward()
    dis_opt.step()
    gen_opt.zero_grad()
    (-dis(gen.decode(torch.randn(len(x), 8).cuda())).mean()).backward()
    gen_opt.step()
