# a sum or difference of losses has no dimensions either

import torch
import torch.nn.functional as F


def train(net, critic, loader, optimizer):
    for x, y in loader:
        made = net(x.cuda())
        loss_real = F.mse_loss(made, y.cuda())
        loss_fake = F.softplus(critic(made)).mean()
        optimizer.zero_grad()
        (loss_real + 0.5 * loss_fake).backward()
        optimizer.step()
        print((loss_real + 0.5 * loss_fake).data[0])  #! MEM902 error
        print((made.mean() - y.mean().cuda()).data[0])  #! MEM902 error
        print((made - y.cuda()).abs().sum().sqrt().data[0])  #! MEM902 error
        print((F.l1_loss(made, y.cuda()) / 2).data[0])  #! MEM902 error
