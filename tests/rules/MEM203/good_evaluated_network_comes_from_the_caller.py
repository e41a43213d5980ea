# whether the encoder of a parameter is frozen is up to the caller; the second is in evaluation mode, and trained

import torch
from parts import Head, Trunk


def fit(encoder, loader):
    head = Head().cuda()
    optimizer = torch.optim.Adam(head.parameters())
    encoder.eval()
    for x, y in loader:
        z = encoder(x.cuda())
        loss = torch.nn.functional.cross_entropy(head(z.detach()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def tune(loader):
    trunk, head = Trunk().cuda(), Head().cuda()
    trunk.eval()
    optimizer = torch.optim.Adam([*trunk.parameters(), *head.parameters()])
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(head(trunk(x.cuda())), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
