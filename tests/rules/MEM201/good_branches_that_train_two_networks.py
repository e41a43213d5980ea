# the branches train one network each; in the other function one forward pass serves both phases

import torch
import torch.nn.functional as F


def adversarial(generator, critic, optimizer_g, optimizer_c, loader):
    for i, x in enumerate(loader):
        if i % 5:
            with torch.no_grad():
                fake = generator(torch.randn(len(x), 100))
            optimizer_c.zero_grad()
            (critic(fake).mean() - critic(x).mean()).backward()
            optimizer_c.step()
        else:
            optimizer_g.zero_grad()
            (-critic(generator(torch.randn(len(x), 100))).mean()).backward()
            optimizer_g.step()


def run(net, optimizer, loaders, phase):
    net.train(phase == "train")
    with torch.set_grad_enabled(phase == "train"):
        for x, y in loaders[phase]:
            loss = F.cross_entropy(net(x), y)
            if phase == "train":
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            print(loss.item())
