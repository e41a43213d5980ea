# the optimizer that transformers had, and a tokenizer for its trainer

import transformers
from transformers import AdamW, Trainer, TrainingArguments  #! MEM907 warning
from transformers.optimization import get_linear_schedule_with_warmup


def train(model, tokenizer, data, collate):
    optimizer = AdamW(model.parameters(), lr=5e-5)
    schedule = get_linear_schedule_with_warmup(optimizer, 100, 1000)
    trainer = Trainer(
        model=model,
        args=TrainingArguments("out"),
        train_dataset=data,
        data_collator=collate,
        tokenizer=tokenizer,  #! MEM907 warning
        optimizers=(optimizer, schedule),
    )
    trainer.train()


def other(model):
    return transformers.AdamW(model.parameters())  #! MEM907 warning
