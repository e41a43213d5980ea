# features of a network for a loss: its class, out of view, makes no network that is trained

import torch
import torch.nn.functional as F
from zoo import Features, SmallNet

features = Features("relu4").cuda()
features.eval()
net = SmallNet(10).cuda()
sgd = torch.optim.SGD(net.parameters(), lr=0.1)


def train(loader):
    for x, _ in loader:
        x = x.cuda()
        loss = F.mse_loss(features(net(x)), features(x))
        sgd.zero_grad()
        loss.backward()
        sgd.step()
