"""A Lightning project that does the memory side right."""
import os

import lightning as L
import torch
from lightning.pytorch.callbacks import ModelCheckpoint
from torch.utils.data import DataLoader, Dataset


class Frames(Dataset):
    def __init__(self, root):
        self.root, self.n = root, len(os.listdir(root))

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return torch.load(f"{self.root}/{i}.pt"), i % 10


class Data(L.LightningDataModule):
    def __init__(self, root, bs=32, workers=8):
        super().__init__()
        self.save_hyperparameters()

    def setup(self, stage):
        self.ds = Frames(self.hparams.root)

    def train_dataloader(self):
        return DataLoader(self.ds, self.hparams.bs, shuffle=True, num_workers=self.hparams.workers, pin_memory=True,
                          persistent_workers=True)

    def val_dataloader(self):
        return DataLoader(self.ds, self.hparams.bs, num_workers=self.hparams.workers, persistent_workers=True)

    def transfer_batch_to_device(self, batch, device, dataloader_idx):
        return [b.to(device, non_blocking=True) for b in batch]


class Model(L.LightningModule):
    def __init__(self, pretrained=None):
        super().__init__()
        self.net = torch.nn.LazyLinear(10)
        if pretrained:
            self.load_state_dict(torch.load(pretrained, map_location="cpu")["state_dict"])

    def training_step(self, batch, i):
        x, y = batch
        loss = torch.nn.functional.cross_entropy(self.net(x.flatten(1)), y)
        self.log("train", loss)
        return loss

    def validation_step(self, batch, i):
        x, y = batch
        self.log("acc", (self.net(x.flatten(1)).argmax(1) == y).float().mean())

    def on_train_epoch_end(self):
        torch.cuda.empty_cache()

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters())


if __name__ == "__main__":
    os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"
    trainer = L.Trainer(devices=2, strategy="ddp", precision="bf16-mixed", callbacks=[ModelCheckpoint(monitor="acc")])
    trainer.fit(Model(), Data("frames"))
    best = Model.load_from_checkpoint(trainer.checkpoint_callback.best_model_path)
    trainer.validate(best, Data("frames"))
