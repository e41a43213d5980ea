import lightning as L
import torch
import torch.nn as nn
import torch.nn.functional as F


class SimCLR(L.LightningModule):
    def __init__(self, backbone, dim=128, tau=0.1):
        super().__init__()
        self.backbone = backbone
        self.proj = nn.Sequential(nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, dim))
        self.tau = tau
        self.val_feats = []
        self.val_labels = []

    def forward(self, x):
        return F.normalize(self.proj(self.backbone(x)), dim=1)

    def training_step(self, batch, batch_idx):
        (a, b), _ = batch
        za, zb = self(a), self(b)
        logits = za @ zb.t() / self.tau
        loss = F.cross_entropy(logits, torch.arange(len(a), device=self.device))
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.val_feats.append(self.backbone(x))  #! MEM127
        self.val_labels.append(y)  #! MEM127

    def on_validation_epoch_end(self):
        f = F.normalize(torch.cat(self.val_feats), dim=1)
        y = torch.cat(self.val_labels)
        sim = f @ f.t()
        sim.fill_diagonal_(-1)
        self.log("knn_acc", (y[sim.argmax(1)] == y).float().mean())

    def configure_optimizers(self):
        opt = torch.optim.SGD(self.parameters(), lr=0.06, momentum=0.9, weight_decay=5e-4)
        return [opt], [torch.optim.lr_scheduler.CosineAnnealingLR(opt, 200)]
