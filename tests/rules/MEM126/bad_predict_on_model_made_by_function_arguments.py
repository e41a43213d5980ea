# predict on a model made by a function, arguments from the command line, a model from elsewhere

from transformers import AutoModelForMaskedLM, HfArgumentParser, Trainer, TrainingArguments

from mymodels import build


def make():
    return AutoModelForMaskedLM.from_pretrained("roberta-base")


def metrics(output):
    return {}


def main(data):
    trainer = Trainer(model=make(), args=TrainingArguments("out"))
    logits = trainer.predict(data).predictions  #! MEM126 error
    other = Trainer(model=build(), args=TrainingArguments("out"), compute_metrics=metrics)  #! MEM126 warning
    parser = HfArgumentParser(TrainingArguments)
    (args,) = parser.parse_args_into_dataclasses()
    third = Trainer(model_init=make, args=args, compute_metrics=metrics)  #! MEM126 warning
    return logits, other, third
