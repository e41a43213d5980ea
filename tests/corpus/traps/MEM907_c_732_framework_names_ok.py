from dataclasses import dataclass, field

import torch
from catalyst import dl
from pytorch_lightning import Callback, Trainer
from transformers import HfArgumentParser
from transformers import TrainingArguments as HFArgs


@dataclass
class TrainingArguments(HFArgs):
    no_cuda: bool = field(default=False)
    evaluation_strategy: str = field(default="no")


class Log(Callback):
    def on_validation_epoch_end(self, trainer, pl_module):
        print(trainer.callback_metrics)


class Runner(dl.Runner):
    def validation_epoch_end(self, outputs):
        return torch.stack(outputs).mean()


def build(conf):
    extra = {"gpus": conf.gpus} if conf.old else {"devices": conf.gpus}
    return Trainer(max_epochs=1, precision=conf.precision, callbacks=[Log()], **extra)


(args,) = HfArgumentParser(TrainingArguments).parse_args_into_dataclasses()
print(args.evaluation_strategy, args.no_cuda)
