from collections import OrderedDict

import torch


class SRModel:
    def __init__(self, net, opt):
        self.net_g = net
        self.optimizer_g = torch.optim.Adam(net.parameters(), lr=1e-4)
        self.cri_pix, self.cri_perceptual = opt["pix"], opt["perceptual"]
        self.log_dict = OrderedDict()

    def reduce_loss_dict(self, loss_dict):
        with torch.no_grad():
            return OrderedDict((k, v.mean().item()) for k, v in loss_dict.items())

    def optimize_parameters(self, lq, gt):
        self.optimizer_g.zero_grad()
        self.output = self.net_g(lq)
        l_total = 0
        loss_dict = OrderedDict()
        l_pix = self.cri_pix(self.output, gt)
        l_total += l_pix
        loss_dict["l_pix"] = l_pix
        l_percep, l_style = self.cri_perceptual(self.output, gt)
        if l_percep is not None:
            l_total += l_percep
            loss_dict["l_percep"] = l_percep
        l_total.backward()
        self.optimizer_g.step()
        self.log_dict = self.reduce_loss_dict(loss_dict)

    def test(self, lq):
        self.net_g.eval()
        with torch.no_grad():
            self.output = self.net_g(lq)
        self.net_g.train()


def main(model, train, val):
    for lq, gt in train:
        model.optimize_parameters(lq, gt)
    for lq, gt in val:
        model.test(lq)
        print((model.output - gt).abs().mean())
