# the loop ends where the iterator has no more, not early: all features are on the GPU before they are moved

import torch
from tqdm import tqdm


class Statistics:
    def __init__(self, net, batches, device="cuda"):
        self.net, self.batches, self.device = net.to(device), batches, device

    @torch.inference_mode()
    def collect(self, count):
        self.net.eval()
        features = []
        for _ in tqdm(range(count)):
            try:
                images = next(self.batches)
            except StopIteration:
                break
            features.append(self.net(images.to(self.device)))  #! MEM103
        return torch.cat(features, dim=0).cpu().numpy()
