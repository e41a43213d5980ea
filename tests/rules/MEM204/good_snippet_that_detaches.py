# a snippet of a GAN that detaches, and one with a single optimizer for both sides

for real, _ in loader:
    netD.zero_grad()
    criterion(netD(real.cuda()), ones).backward()
    fake = netG(noise)
    wrong = criterion(netD(fake.detach()), zeros)
    wrong.backward()
    optimizerD.step()
    netG.zero_grad()
    fooled = criterion(netD(fake), ones)
    fooled.backward()
    optimizerG.step()
for real, _ in loader:
    loss = criterion(D(real), ones) + criterion(D(G(noise)), zeros)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
