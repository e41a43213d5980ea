# all that becomes of the validation is the number that ReduceLROnPlateau reads

import torch
from torch import nn

net = nn.Linear(64, 1).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
lr_scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)


def fit(batches, held_out, labels):
    for epoch in range(30):
        for x, y in batches:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x.cuda()), y.cuda()).backward()
            optimizer.step()
        loss = nn.functional.mse_loss(net(held_out.cuda()), labels.cuda())  #! MEM201 advice
        lr_scheduler.step(loss)
