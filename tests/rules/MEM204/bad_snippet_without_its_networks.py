# a snippet that makes neither the networks nor their optimizers: their names tell which is whose

for real, _ in loader:
    netD.zero_grad()
    criterion(netD(real.cuda()), ones).backward()
    fake = netG(noise)
    wrong = criterion(netD(fake), zeros)  #! MEM204 warning
    wrong.backward(retain_graph=True)
    optimizerD.step()
    netG.zero_grad()
    fooled = criterion(netD(fake), ones)
    fooled.backward()
    optimizerG.step()
