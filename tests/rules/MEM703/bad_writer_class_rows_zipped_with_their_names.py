# writer class, rows zipped with their names

import torch


class FeatureWriter:
    def __init__(self, backbone, device):
        self.backbone = backbone.to(device).eval()
        self.device = device

    @torch.no_grad()
    def write(self, loader):
        for x, paths in loader:
            feats = self.backbone(x.to(self.device)).cpu()
            for feat, path in zip(feats, paths):
                torch.save(feat, path + ".feat")  #! MEM703 warning
