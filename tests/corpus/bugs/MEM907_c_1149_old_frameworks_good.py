import lightning.pytorch as pl
import torch
from transformers import Seq2SeqTrainingArguments, TrainingArguments


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(3, 3)
        self.val = []

    def training_step(self, batch, i):
        return self.net(batch).sum()

    def validation_step(self, batch, i):
        self.val.append(self.net(batch).sum().cpu())

    def on_validation_epoch_end(self):
        self.log("avg_val", torch.stack(self.val).mean())
        self.val.clear()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)


class Meter:
    def training_epoch_end(self, outputs):
        return outputs


def args(out):
    return (TrainingArguments(out, eval_strategy="epoch", use_cpu=False),
            Seq2SeqTrainingArguments(output_dir=out, eval_strategy="steps"))


if __name__ == "__main__":
    pl.Trainer(devices=2, accelerator="gpu", precision="16-mixed", max_epochs=2).fit(Lit())
