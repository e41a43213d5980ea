import torch
import torch.nn.functional as F


def criterion(outs, mask, weights=(1.0, 0.5, 0.25)):
    total = 0.0
    for w, out in zip(weights, outs):
        size = out.shape[-2:]
        total = total + w * F.binary_cross_entropy_with_logits(out, F.interpolate(mask, size=size))
    return total


class Segmenter:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters())

    def train(self, loader):
        for image, mask in loader:
            loss = criterion(self.net(image), mask)
            reg = 0.0
            for p in self.net.parameters():
                reg = reg + p.pow(2).sum()
            loss = loss + 1e-5 * reg
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
