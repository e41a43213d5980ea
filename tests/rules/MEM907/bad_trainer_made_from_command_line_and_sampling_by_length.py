# the trainer made from the command line, and sampling by length

import argparse

import pytorch_lightning as pl
import transformers

parser = argparse.ArgumentParser()
parser = pl.Trainer.add_argparse_args(parser)  #! MEM907 error
args = parser.parse_args()
trainer = pl.Trainer.from_argparse_args(args)  #! MEM907 error
settings = transformers.Seq2SeqTrainingArguments("out", group_by_length=True)  #! MEM907 warning
print(trainer, settings)
