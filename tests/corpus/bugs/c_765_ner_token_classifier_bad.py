import numpy as np
from datasets import load_dataset
from transformers import (
    AutoModelForTokenClassification,
    AutoTokenizer,
    DataCollatorForTokenClassification,
    Trainer,
    TrainingArguments,
)

raw = load_dataset("conll2003")
tok = AutoTokenizer.from_pretrained("xlm-roberta-base")
model = AutoModelForTokenClassification.from_pretrained("xlm-roberta-base", num_labels=9)


def score(result):
    pred = np.argmax(result.predictions, axis=-1)
    keep = result.label_ids != -100
    return {"acc": (pred == result.label_ids)[keep].mean()}


args = TrainingArguments(
    output_dir="ner",
    per_device_train_batch_size=16,
    num_train_epochs=3,
    eval_strategy="epoch",
)
trainer = Trainer(  #! MEM126
    model=model,
    args=args,
    train_dataset=raw["train"],
    eval_dataset=raw["validation"],
    data_collator=DataCollatorForTokenClassification(tok),
    compute_metrics=score,
)
trainer.train()
