"""Names that Lightning 2 and transformers 5 refuse."""
import pytorch_lightning as pl
import torch
from transformers import Seq2SeqTrainingArguments, TrainingArguments


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(3, 3)

    def training_step(self, batch, i):
        return {"loss": self.net(batch).sum()}

    def validation_step(self, batch, i):
        return {"val": self.net(batch).sum()}

    def training_epoch_end(self, outputs):  #! MEM907
        self.log("avg", torch.stack([o["loss"] for o in outputs]).mean())

    def validation_epoch_end(self, outputs):  #! MEM907
        self.log("avg_val", torch.stack([o["val"] for o in outputs]).mean())

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)


def args(out):
    a = TrainingArguments(out, evaluation_strategy="epoch", per_device_train_batch_size=8, no_cuda=False)  #! MEM907
    b = Seq2SeqTrainingArguments(output_dir=out, evaluation_strategy="steps", group_by_length=True)  #! MEM907
    return a, b


if __name__ == "__main__":
    pl.Trainer(gpus=2, precision=16, max_epochs=2).fit(Lit())  #! MEM907
