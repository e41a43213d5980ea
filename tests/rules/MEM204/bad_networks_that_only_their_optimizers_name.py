# what is called and has an optimizer of its name is a network, whatever its own name says

import torch
from tqdm import tqdm


def train_epoch(disc, gen, loader, opt_disc, opt_gen, l1, bce):
    for x, y in tqdm(loader):
        fake = gen(x.cuda())
        real = disc(x.cuda(), y.cuda())
        wrong = disc(x.cuda(), fake)  #! MEM204 warning
        loss = bce(real, torch.ones_like(real)) + bce(wrong, torch.zeros_like(wrong))
        opt_disc.zero_grad()
        loss.backward(retain_graph=True)
        opt_disc.step()
        fooled = disc(x.cuda(), fake)
        loss = bce(fooled, torch.ones_like(fooled)) + 100 * l1(fake, y.cuda())
        opt_gen.zero_grad()
        loss.backward()
        opt_gen.step()
