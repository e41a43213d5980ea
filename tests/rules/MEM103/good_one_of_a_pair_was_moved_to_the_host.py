# a copy of each weight goes to the host beside the weight itself, which lies on the GPU anyway

import torch


class Checker:
    def __init__(self, views, device="cuda"):
        self.views, self.device = views, device

    @torch.no_grad()
    def receive(self, instructions):
        to_check = []
        for name, parts in instructions:
            target = self.views[name]
            copy = target.clone().cpu()
            target.zero_()
            for part in parts:
                target[part] = fetch(name, part)
            to_check.append((copy, target, name))
        for copy, target, name in to_check:
            if not torch.allclose(copy, target.cpu()):
                raise ValueError(name)


def fetch(name, part):
    return torch.load(f"{name}_{part}.pt", map_location="cuda")
