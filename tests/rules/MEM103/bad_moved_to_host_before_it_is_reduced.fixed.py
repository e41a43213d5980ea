# statistics on the host of what the list became under its own name

import torch
from tqdm import tqdm


class Likeness:
    def __init__(self, backbone, stream, device, count):
        self.backbone, self.stream, self.device, self.count = backbone, stream, device, count

    @torch.inference_mode()
    def encode(self, x):
        return self.backbone(x)[0].flatten(1)

    @torch.inference_mode()
    def moments(self):
        codes = []
        for _ in tqdm(range(self.count // 32)):
            x = next(self.stream).to(self.device)
            codes.append(self.encode(x).cpu())
        codes = torch.cat(codes).cpu()
        return codes.mean(0), codes.t() @ codes
