import gc
from pathlib import Path

import numpy as np
import torch


class FeatureExtractor:
    def __init__(self, backbone, out_dir):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.backbone = backbone.eval().to(self.device)
        self.out = Path(out_dir)

    def _free(self):
        gc.collect()
        torch.cuda.empty_cache()

    @torch.inference_mode()
    def extract(self, dataloader):
        for idx, (name, clip) in enumerate(dataloader):
            feats = self.backbone(clip.to(self.device))
            np.save(self.out / f"{name}.npy", feats.cpu().numpy())
        self._free()


FeatureExtractor(torch.nn.Linear(400, 64), "feats").extract(
    [(str(i), torch.randn(8, 400)) for i in range(64)]
)
