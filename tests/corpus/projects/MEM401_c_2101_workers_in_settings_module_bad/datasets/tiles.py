import rasterio
import torch
from torch.utils.data import Dataset
from glob import glob


class TileSet(Dataset):
    def __init__(self, root):
        self.paths = sorted(glob(root + "/*.tif"))

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        with rasterio.open(self.paths[i]) as src:
            arr = torch.from_numpy(src.read()).float()
        return arr[:3], arr[3:]
