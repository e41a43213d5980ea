# a part of a script without its imports keeps grids of samples, which are detached

grids = []
for epoch in range(50):
    for step, (real, _) in enumerate(loader):
        netD.zero_grad()
        fake = netG(torch.randn(len(real), 100, 1, 1))
        (netD(fake.detach()).mean() - netD(real).mean()).backward()
        optimizerD.step()
        netG.zero_grad()
        (-netD(fake).mean()).backward()
        optimizerG.step()
        if step % 500 == 0:
            picture = netG(fixed_noise).detach().cpu()  #! MEM201 warning
            grids.append(vutils.make_grid(picture, normalize=True))
