"""A Lightning module with loading and checkpoint habits that hurt."""
import cv2
import pytorch_lightning as pl
import torch
from torch.utils.data import DataLoader, Dataset


class Frames(Dataset):
    def __init__(self, files):
        self.files, self.cache = files, {}

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        if i not in self.cache:
            self.cache[i] = torch.from_numpy(cv2.imread(self.files[i]))  #! MEM411
        return self.cache[i].permute(2, 0, 1).float(), 0


class Lit(pl.LightningModule):
    def __init__(self, files, weights):
        super().__init__()
        self.files = files
        self.net = torch.nn.Conv2d(3, 2, 3)
        self.best = None

    def train_dataloader(self):
        return DataLoader(Frames(self.files), 8, shuffle=True, num_workers=8)

    def val_dataloader(self):
        return DataLoader(Frames(self.files), 8)  #? MEM401

    def training_step(self, batch, i):
        x, y = batch
        loss = self.net(x).mean()
        torch.cuda.empty_cache()  #! MEM501
        return loss

    def on_validation_epoch_end(self):
        torch.cuda.empty_cache()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


if __name__ == "__main__":
    pl.Trainer(accelerator="gpu", max_epochs=3).fit(Lit(["a.png"], None))
