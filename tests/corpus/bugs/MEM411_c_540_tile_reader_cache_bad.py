import os

import numpy as np
import rasterio
import torch
import torch.nn as nn
import torch.utils.data
from tqdm import tqdm


class TileDataset(torch.utils.data.Dataset):
    _scenes: dict = {}

    def __init__(self, root, index, size=512, use_cache=True):
        self.root = root
        self.index = index
        self.size = size
        self.use_cache = use_cache

    def __len__(self):
        return len(self.index)

    def _scene(self, scene_id):
        if self.use_cache and scene_id in self._scenes:
            return self._scenes[scene_id]
        with rasterio.open(os.path.join(self.root, scene_id + ".tif")) as src:
            bands = src.read().astype(np.float32)
        if self.use_cache:
            self._scenes[scene_id] = bands  #! MEM411
        return bands

    def __getitem__(self, i):
        scene_id, row, col = self.index[i]
        bands = self._scene(scene_id)
        return torch.from_numpy(bands[:, row : row + self.size, col : col + self.size])


def fit(cfg):
    dataset = TileDataset(cfg.root, np.load(cfg.index))
    kwargs = {"num_workers": 8, "pin_memory": True} if torch.cuda.is_available() else {}
    loader = torch.utils.data.DataLoader(dataset, batch_size=4, shuffle=True, **kwargs)
    net = nn.Conv2d(4, 1, 3, padding=1).cuda()
    opt = torch.optim.AdamW(net.parameters())
    for _ in range(cfg.epochs):
        for x in tqdm(loader):
            opt.zero_grad(set_to_none=True)
            net(x.cuda(non_blocking=True)).square().mean().backward()
            opt.step()
