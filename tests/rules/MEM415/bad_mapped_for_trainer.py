# Tokenized once, with padding that stays in the data; the Trainer has no batch to pad any more.

from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainingArguments

tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased")


def tokenize(rows):
    return tokenizer(rows["text"], padding="max_length", truncation=True)  #! MEM415 advice


def main(data):
    data = data.map(tokenize, batched=True)
    trainer = Trainer(model=model, args=TrainingArguments("out"), train_dataset=data["train"])
    trainer.train()
