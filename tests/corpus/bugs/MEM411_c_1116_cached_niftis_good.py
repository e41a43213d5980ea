import nibabel as nib
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Volumes(Dataset):
    def __init__(self, pairs):
        self.pairs = pairs

    def __getitem__(self, idx):
        img, seg = (np.load(p, mmap_mode="r") for p in self.pairs[idx])
        z = np.random.randint(0, img.shape[2] - 32)
        return torch.from_numpy(img[..., z:z + 32].copy())[None], torch.from_numpy(seg[..., z:z + 32].copy())[None]

    def __len__(self):
        return len(self.pairs)


def convert(pairs):
    for img, seg in pairs:
        for p in (img, seg):
            np.save(p + ".npy", np.asarray(nib.load(p).dataobj, dtype=np.float32))


def train(pairs, unet, epochs=300):
    dl = DataLoader(Volumes(pairs), batch_size=2, shuffle=True, num_workers=10, pin_memory=True, persistent_workers=True)
    opt = torch.optim.SGD(unet.parameters(), 0.01, momentum=0.99, nesterov=True)
    for _ in range(epochs):
        for x, y in dl:
            x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
            opt.zero_grad()
            torch.nn.functional.binary_cross_entropy_with_logits(unet(x), y).backward()
            opt.step()
