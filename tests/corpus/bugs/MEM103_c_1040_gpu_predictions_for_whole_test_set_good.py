import numpy as np
import pandas as pd
import torch
from torch.utils.data import DataLoader

from config import CFG
from data import TestDataset
from nets import build_model

device = torch.device(f"cuda:{CFG.gpu}")
loader = DataLoader(TestDataset(CFG.test_dir), batch_size=CFG.bs, num_workers=8, pin_memory=True)
models = []
for f in range(CFG.folds):
    m = build_model(CFG.arch)
    m.load_state_dict(torch.load(f"{CFG.out}/fold{f}.pth", map_location=device))
    models.append(m.to(device).eval())

masks = []
with torch.no_grad():
    for img, ids in loader:
        img = img.to(device)
        p = torch.stack([m(img).sigmoid() for m in models]).mean(0)
        masks.append(p.cpu())
masks = torch.cat(masks).numpy()
np.save(f"{CFG.out}/test_masks.npy", masks)
