import pandas as pd
import pytorch_lightning as pl
import torch
from torch.utils.data import DataLoader, Dataset


class VQA(Dataset):
    def __init__(self, csv):
        frame = pd.read_csv(csv)
        self.q = torch.tensor(frame[[f"w{i}" for i in range(20)]].to_numpy())
        self.a = torch.tensor(frame["answer_id"].to_numpy())

    def __len__(self):
        return len(self.a)

    def __getitem__(self, i):
        return self.q[i], self.a[i]


class DM(pl.LightningDataModule):
    def __init__(self, csv, bs=64):
        super().__init__()
        self.csv, self.bs = csv, bs

    def setup(self, stage=None):
        self.train_set = VQA(self.csv)

    def train_dataloader(self):
        return DataLoader(self.train_set, batch_size=self.bs, shuffle=True, num_workers=12, pin_memory=True,
                          persistent_workers=True)


class Net(pl.LightningModule):
    def __init__(self, n):
        super().__init__()
        self.emb = torch.nn.EmbeddingBag(5000, 128)
        self.fc = torch.nn.Linear(128, n)

    def training_step(self, batch, _):
        q, a = batch
        loss = torch.nn.functional.cross_entropy(self.fc(self.emb(q)), a)
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


if __name__ == "__main__":
    pl.Trainer(max_epochs=10, accelerator="gpu").fit(Net(3000), DM("vqa.csv"))
