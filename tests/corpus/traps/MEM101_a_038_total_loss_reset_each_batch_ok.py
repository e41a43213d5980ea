import torch
import torch.nn.functional as F


class MultiScale:
    def __init__(self, model, scales=(1.0, 0.5, 0.25)):
        self.model = model
        self.scales = scales
        self.opt = torch.optim.Adam(model.parameters(), 1e-4)

    def train(self, loader):
        for left, right in loader:
            disps = self.model(left)
            total_loss = 0
            losses = {}
            for s, disp in zip(self.scales, disps):
                loss = 0
                target = F.interpolate(right, scale_factor=s)
                loss += (disp - target).abs().mean()
                loss += 1e-3 * disp.diff(dim=-1).abs().mean()
                total_loss += loss
                losses[f"loss/{s}"] = loss
            total_loss /= len(self.scales)
            losses["loss"] = total_loss
            self.opt.zero_grad()
            losses["loss"].backward()
            self.opt.step()
