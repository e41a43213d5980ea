# the sample is detached for the discriminator; a function whose name an optimizer has as well makes numbers

import torch


def train_epoch(disc, gen, loader, disc_opt, gen_opt, bce):
    for x in loader:
        fake = gen(x.cuda())
        real, wrong = disc(x.cuda()), disc(fake.detach())
        loss = bce(real, torch.ones_like(real)) + bce(wrong, torch.zeros_like(wrong))
        disc_opt.zero_grad()
        loss.backward()
        disc_opt.step()
        fooled = disc(fake)
        gen_opt.zero_grad()
        bce(fooled, torch.ones_like(fooled)).backward()
        gen_opt.step()
