import numpy as np
import evaluate
from datasets import load_dataset
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    DataCollatorWithPadding,
    Trainer,
    TrainingArguments,
)

tok = AutoTokenizer.from_pretrained("bert-base-uncased")
raw = load_dataset("glue", "mrpc").map(lambda r: tok(r["sentence1"], r["sentence2"], truncation=True), batched=True)
args = TrainingArguments(
    "out",
    num_train_epochs=3,
    evaluation_strategy="epoch",  #! MEM907
    save_strategy="epoch",
    group_by_length=True,  #! MEM907
)
trainer = Trainer(
    AutoModelForSequenceClassification.from_pretrained("bert-base-uncased", num_labels=2),
    args,
    train_dataset=raw["train"],
    eval_dataset=raw["validation"],
    data_collator=DataCollatorWithPadding(tok),
)
trainer.train()
print(np.mean(trainer.evaluate()["eval_loss"]), evaluate)
