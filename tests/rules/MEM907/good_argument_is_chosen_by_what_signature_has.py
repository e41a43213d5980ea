# the argument is chosen by what the signature has

import inspect

from transformers import TrainingArguments

names = inspect.signature(TrainingArguments).parameters
key = "eval_strategy" if "eval_strategy" in names else "evaluation_strategy"
arguments = TrainingArguments("out", **{key: "epoch"})
