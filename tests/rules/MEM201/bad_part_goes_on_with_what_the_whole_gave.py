# a part of the trained network that is only looked at costs little beside the whole that ran; the whole does not

import torch
import torch.nn.functional as F


def train(net, loader, optimizer):
    seen = []
    for x, y in loader:
        x = x.cuda()
        optimizer.zero_grad()
        features = net(x)
        domains = net.discriminator(features)  #! MEM201 advice
        loss = F.cross_entropy(net.classifier(features), y.cuda())
        seen.append(domains.argmax(1).tolist())
        loss.backward()
        optimizer.step()
    return seen


class Trainer:
    def __init__(self, net, probe):
        self.net, self.probe = net, probe
        self.optimizer = torch.optim.Adam(net.parameters())

    def fit_with_probe(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = F.mse_loss(self.net(x.cuda()), y.cuda())
            shown = self.net(self.probe)  #! MEM201 warning
            print(shown.argmax(1).tolist())
            loss.backward()
            self.optimizer.step()
