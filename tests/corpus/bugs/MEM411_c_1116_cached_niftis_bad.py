"""MONAI-free medical set: memory grows for the whole first epoch in each of 10 workers."""
import nibabel as nib
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Volumes(Dataset):
    def __init__(self, pairs, use_cache=True):
        self.pairs, self.use_cache = pairs, use_cache
        self._cache = {}

    def _load(self, idx):
        if idx not in self._cache:
            img, seg = (np.asarray(nib.load(p).dataobj, dtype=np.float32) for p in self.pairs[idx])
            self._cache[idx] = (img, seg)  #! MEM411
        return self._cache[idx]

    def __getitem__(self, idx):
        img, seg = self._load(idx)
        z = np.random.randint(0, img.shape[2] - 32)
        return torch.from_numpy(img[..., z:z + 32])[None], torch.from_numpy(seg[..., z:z + 32])[None]

    def __len__(self):
        return len(self.pairs)


def train(pairs, unet, epochs=300):
    dl = DataLoader(Volumes(pairs), batch_size=2, shuffle=True, num_workers=10, pin_memory=True)
    opt = torch.optim.SGD(unet.parameters(), 0.01, momentum=0.99, nesterov=True)
    for _ in range(epochs):
        for x, y in dl:
            opt.zero_grad()
            torch.nn.functional.binary_cross_entropy_with_logits(unet(x.cuda()), y.cuda()).backward()
            opt.step()
