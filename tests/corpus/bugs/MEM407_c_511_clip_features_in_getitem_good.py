import os
import os.path as osp

import clip
import torch
import torch.nn as nn
import torch.utils.data as tud
from PIL import Image

device = torch.device("cuda")
encoder, preprocess = clip.load("ViT-B/32")
encoder = encoder.to(device).eval()


def embed(images):
    with torch.no_grad():
        return encoder.encode_image(images.to(device))


class ClipSet(tud.Dataset):
    def __init__(self, root):
        super().__init__()
        self.root = root
        self.names = sorted(os.listdir(root))

    def __len__(self):
        return len(self.names)

    def __getitem__(self, k):
        name = self.names[k]
        return preprocess(Image.open(osp.join(self.root, name))), int(name.split("_")[0])


def train_probe(cfg):
    opts = dict(batch_size=cfg["bs"], num_workers=4, shuffle=True)
    loader = tud.DataLoader(ClipSet(cfg["root"]), **opts)
    probe = nn.Linear(512, cfg["classes"]).to(device)
    sgd = torch.optim.SGD(probe.parameters(), lr=1e-2)
    for images, target in loader:
        sgd.zero_grad()
        nn.functional.cross_entropy(probe(embed(images).float()), target.to(device)).backward()
        sgd.step()
    return probe
