# float32 or bfloat16 weights, weights that DeepSpeed keeps, and a Trainer that only evaluates in float16

import torch
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments


def main(data):
    model = AutoModelForCausalLM.from_pretrained("gpt2")
    Trainer(model, TrainingArguments("out", fp16=True), train_dataset=data).train()


def wide(data):
    model = AutoModelForCausalLM.from_pretrained("gpt2", dtype=torch.float16)
    arguments = TrainingArguments("out", fp16=True, deepspeed="zero2.json")
    trainer = Trainer(model, arguments, train_dataset=data)
    trainer.train()


def evaluate(data):
    model = AutoModelForCausalLM.from_pretrained("gpt2", dtype=torch.float16)
    evaluator = Trainer(model, TrainingArguments("out"), eval_dataset=data)
    return evaluator.evaluate()


main(torch.load("data.pt"))
wide(torch.load("data.pt"))
print(evaluate(torch.load("data.pt")))
