import lightning as L
import torch
import torch.nn.functional as F
import torchmetrics


class Lit(L.LightningModule):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.auroc = torchmetrics.AUROC(task="binary")
        self.outs = []
        self._test = {"p": [], "y": []}

    def training_step(self, batch, idx):
        x, y = batch
        loss = F.binary_cross_entropy_with_logits(self.net(x), y)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, idx):
        x, y = batch
        p = self.net(x).sigmoid()
        self.auroc.update(p, y.int())
        self.outs.append(F.binary_cross_entropy(p, y))

    def on_validation_epoch_end(self):
        self.log("val", torch.stack(self.outs).mean())
        self.log("auroc", self.auroc.compute())
        self.auroc.reset()
        self.outs.clear()

    def on_test_epoch_start(self):
        self._test = {"p": [], "y": []}

    def test_step(self, batch, idx):
        x, y = batch
        self._test["p"].append(self.net(x).cpu())
        self._test["y"].append(y.cpu())

    def on_test_epoch_end(self):
        p = torch.cat(self._test["p"])
        torch.save(p, "pred.pt")

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), 1e-3)
