# the Trainer of transformers steps the weights as they were loaded

import torch
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments


def main(data):
    model = AutoModelForCausalLM.from_pretrained("gpt2", dtype=torch.float16)  #! MEM301 error
    trainer = Trainer(model, TrainingArguments("out", fp16=True), train_dataset=data)
    trainer.train()


def again(data):
    arguments = TrainingArguments("out", learning_rate=1e-4)
    trainer = Trainer(
        model=AutoModelForCausalLM.from_pretrained("gpt2").half(),  #! MEM301 error
        args=arguments,
        train_dataset=data,
    )
    trainer.train(resume_from_checkpoint=True)


main(torch.load("data.pt"))
again(torch.load("data.pt"))
