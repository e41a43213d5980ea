import torch
from torch.cuda.amp import autocast, scale_loss  #! MEM901


def fit(net, batches, lr=3e-4):
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    for x, y in batches:
        opt.zero_grad()
        with autocast():  #! MEM903
            loss = torch.nn.functional.mse_loss(net(x.cuda()), y.cuda())
        with scale_loss(loss, opt) as scaled:  #! MEM901
            scaled.backward()
        opt.step()
    return net
