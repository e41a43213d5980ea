import evaluate
import numpy as np
from datasets import load_dataset
from transformers import (AutoModelForTokenClassification, AutoTokenizer, DataCollatorForTokenClassification,
                          Trainer, TrainingArguments)

raw = load_dataset("conll2003")
names = raw["train"].features["ner_tags"].feature.names
tokenizer = AutoTokenizer.from_pretrained("bert-base-cased")
model = AutoModelForTokenClassification.from_pretrained("bert-base-cased", num_labels=len(names))
seqeval = evaluate.load("seqeval")


def align(batch):
    enc = tokenizer(batch["tokens"], truncation=True, is_split_into_words=True)
    enc["labels"] = [[-100 if w is None else tags[w] for w in enc.word_ids(i)] for i, tags in enumerate(batch["ner_tags"])]
    return enc


def compute_metrics(p):
    preds = np.argmax(p.predictions, axis=2)
    keep = [[(names[q], names[l]) for q, l in zip(pr, la) if l != -100] for pr, la in zip(preds, p.label_ids)]
    return seqeval.compute(predictions=[[a for a, _ in k] for k in keep], references=[[b for _, b in k] for k in keep])


tok = raw.map(align, batched=True, remove_columns=raw["train"].column_names)
args = TrainingArguments("ner", eval_strategy="epoch", learning_rate=2e-5, per_device_train_batch_size=16, num_train_epochs=3)
trainer = Trainer(
    model=model,
    args=args,
    train_dataset=tok["train"],
    eval_dataset=tok["validation"],
    data_collator=DataCollatorForTokenClassification(tokenizer),
    compute_metrics=compute_metrics,  #! MEM126
)
trainer.train()
