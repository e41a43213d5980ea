import kornia.augmentation as K
import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, random_split
from torchvision.datasets import STL10
from torchvision.transforms import Compose, ToTensor


class STL(L.LightningDataModule):
    def __init__(self, root="data"):
        super().__init__()
        self.root = root
        self.tf = Compose([ToTensor()])

    def setup(self, stage=None):
        full = STL10(self.root, split="train", transform=self.tf)
        self.train, self.val = random_split(full, [0.9, 0.1])

    def train_dataloader(self):
        return DataLoader(self.train, batch_size=64, shuffle=True, num_workers=6)

    def val_dataloader(self):
        return DataLoader(self.val, batch_size=64, num_workers=6)


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.blur = K.RandomGaussianBlur((3, 3), (0.1, 2.0))
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(96 * 96 * 3, 10))

    def training_step(self, batch, idx):
        x, y = batch
        x = self.blur(x)
        return nn.functional.cross_entropy(self.body(x), y)

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters())
