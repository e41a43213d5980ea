# the loop leaves early

import torch


@torch.no_grad()
def preview(net, loader):
    net.eval().cuda()
    kept = []
    for i, x in enumerate(loader):
        try:
            out = net(x.cuda())
        except ValueError:
            break
        kept.append(out)
    return torch.cat(kept).cpu()
