import argparse

import torch
import torch.nn as nn


class Tester(object):
    def __init__(self, args, net, test_loader):
        self.args = args
        self.net = net.cuda()
        self.test_loader = test_loader
        self.depths = []

    def _step(self, sample):
        img = sample["image"].cuda()
        disp = self.net(img)
        self.depths.append(1.0 / (disp + 1e-6))  #! MEM103
        return disp.abs().mean().item()

    def test(self):
        self.net.eval()
        err = 0.0
        with torch.no_grad():
            for sample in self.test_loader:
                err += self._step(sample)
        depths = torch.cat(self.depths, dim=0)
        torch.save(depths, self.args.out)
        return err / len(self.test_loader)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default="depth.pt")
    args = parser.parse_args()
    loader = [{"image": torch.randn(2, 3, 32, 32)} for _ in range(5)]
    print(Tester(args, nn.Conv2d(3, 1, 3), loader).test())
