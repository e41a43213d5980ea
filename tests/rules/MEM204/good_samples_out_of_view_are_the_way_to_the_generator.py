# what the generator samples has no pass in view: in its own step the critic is the way to it

import torch
from nets import Critic, Generator

gen, critic = Generator().cuda(), Critic().cuda()
gen_opt = torch.optim.Adam(gen.parameters())
critic_opt = torch.optim.Adam(critic.parameters())
for x in loader:
    critic_opt.zero_grad()
    with torch.no_grad():
        made = gen.generate(len(x))
    (critic(made) - critic(x.cuda())).mean().backward()
    critic_opt.step()
    gen_opt.zero_grad()
    (-critic(gen.generate(len(x))).mean()).backward()
    gen_opt.step()
