# logging behind an option that says how often

import torch


def train(net, loader, opt, args):
    for step, x in enumerate(loader):
        opt.zero_grad()
        loss = net(x.cuda()).mean()
        loss.backward()
        opt.step()
        if (step + 1) % args.log_every == 0:
            print(step, loss.item())
            torch.cuda.synchronize()
