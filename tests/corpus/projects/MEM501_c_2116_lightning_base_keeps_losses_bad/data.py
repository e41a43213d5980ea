import lightning as L
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset
from glob import glob


class Imgs(Dataset):
    def __init__(self, root):
        self.files = glob(root + "/*.png")

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        return Image.open(self.files[i]).convert("RGB"), 0


class ImagesDM(L.LightningDataModule):
    def __init__(self, root):
        super().__init__()
        self.root = root

    def train_dataloader(self):
        return DataLoader(Imgs(self.root), batch_size=32, shuffle=True, num_workers=4)

    def val_dataloader(self):
        return DataLoader(Imgs(self.root), batch_size=32, num_workers=4)
