"""Within a loop over the words of one sentence the backward is followed by a break."""

import torch


def train(net, sentences, optimizer, criterion):
    for sentence, target in sentences:
        hidden = torch.zeros(1, 64).cuda()
        for word in sentence:
            output, hidden = net(word.cuda(), hidden)
            if word.item() == 0:
                loss = criterion(output, target.cuda())
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                break
