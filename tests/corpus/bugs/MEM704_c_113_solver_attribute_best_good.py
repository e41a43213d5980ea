import numpy as np
import torch


class Solver:
    def __init__(self, net, opt, loaders):
        self.net, self.opt, self.loaders = net, opt, loaders
        self.best_params = None
        self.best_iou = -np.inf

    def _epoch(self, phase):
        ious = []
        for img, mask in self.loaders[phase]:
            with torch.set_grad_enabled(phase == "train"):
                out = self.net(img)
                loss = torch.nn.functional.binary_cross_entropy_with_logits(out, mask)
            if phase == "train":
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            ious.append(((out > 0) == (mask > 0.5)).float().mean().item())
        return float(np.mean(ious))

    def train(self, n):
        for e in range(n):
            self._epoch("train")
            iou = self._epoch("val")
            if iou > self.best_iou:
                self.best_iou = iou
                self.best_params = {"epoch": e, "net": {k: v.cpu().clone() for k, v in self.net.state_dict().items()}}
        self.net.load_state_dict(self.best_params["net"])
