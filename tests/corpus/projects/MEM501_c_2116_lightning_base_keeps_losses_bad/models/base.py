import lightning as L
import torch


class Base(L.LightningModule):
    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.hparams.get("lr", 1e-3))

    def on_train_batch_end(self, outputs, batch, batch_idx):
        if batch_idx % 50 == 0:
            torch.cuda.empty_cache()  #! MEM501
