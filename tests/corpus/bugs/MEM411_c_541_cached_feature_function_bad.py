import functools

import librosa
import lightning.pytorch as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


@functools.cache  #! MEM411
def mel(path):
    wave, rate = librosa.load(path, sr=16_000)
    return torch.from_numpy(librosa.feature.melspectrogram(y=wave, sr=rate))


class Birds(Dataset):
    def __init__(self, files, labels):
        self.files, self.labels = files, labels

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        return mel(self.files[i]), self.labels[i]


class BirdData(pl.LightningDataModule):
    def __init__(self, files, labels):
        super().__init__()
        self.files, self.labels = files, labels

    def train_dataloader(self):
        return DataLoader(Birds(self.files, self.labels), batch_size=32, shuffle=True, num_workers=6)


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.head = nn.LazyLinear(100)

    def training_step(self, batch, _):
        x, y = batch
        return nn.functional.cross_entropy(self.head(x.flatten(1)), y)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())
