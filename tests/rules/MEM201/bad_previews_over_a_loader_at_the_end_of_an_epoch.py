# the hook runs once an epoch, and its loop through a loader

import lightning as L
import torch
import torch.nn.functional as F
from torchvision.utils import make_grid
from unet import UNet


class Segmenter(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.unet = UNet(3, 1)

    def forward(self, x):
        return self.unet(x)

    def training_step(self, batch, batch_idx):
        image, mask = batch
        return F.binary_cross_entropy_with_logits(self(image), mask)

    def on_train_epoch_end(self):
        for image, _ in self.trainer.datamodule.preview_dataloader():
            guess = torch.sigmoid(self(image.to(self.device)))  #! MEM201 warning
            self.logger.experiment.add_image("preview", make_grid(guess.detach().cpu()), self.current_epoch)

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters())
