# Lightning runs the backward after the step has returned: the locals of training_step are gone by then

import lightning as L
import torch
import torch.nn.functional as F


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(10, 30000)

    def training_step(self, batch, batch_idx):
        x, y = batch
        logits = self.layer(x)
        loss = F.cross_entropy(logits, y)
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


print(Net().backward)
