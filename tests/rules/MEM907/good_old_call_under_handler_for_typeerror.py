# the old call under a handler for TypeError

from transformers import TrainingArguments

try:
    arguments = TrainingArguments("out", eval_strategy="epoch")
except TypeError:
    arguments = TrainingArguments("out", evaluation_strategy="epoch")
