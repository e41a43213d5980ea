import math

import evaluate
from datasets import load_dataset
from transformers import (AutoModelForCausalLM, AutoTokenizer, DataCollatorForLanguageModeling, Trainer, TrainingArguments,
                          default_data_collator)

tok = AutoTokenizer.from_pretrained("distilgpt2")
model = AutoModelForCausalLM.from_pretrained("distilgpt2")
acc = evaluate.load("accuracy")
ds = load_dataset("eli5_category", split="train[:5000]").train_test_split(0.2)
ds = ds.map(lambda b: tok(b["title"], truncation=True, max_length=128), batched=True, remove_columns=ds["train"].column_names)


def compute_metrics(eval_preds):
    preds, labels = eval_preds
    labels = labels[:, 1:].reshape(-1)
    preds = preds[:, :-1].reshape(-1)
    return acc.compute(predictions=preds, references=labels)


def preprocess_logits(logits, labels):
    return logits.argmax(dim=-1)


training_args = TrainingArguments(output_dir="eli5", eval_strategy="epoch", num_train_epochs=3, per_device_eval_batch_size=32)
trainer = Trainer(
    model=model,
    args=training_args,
    train_dataset=ds["train"],
    eval_dataset=ds["test"],
    compute_metrics=compute_metrics,
    preprocess_logits_for_metrics=preprocess_logits,
)
trainer.train()
print(math.exp(trainer.evaluate()["eval_loss"]))
