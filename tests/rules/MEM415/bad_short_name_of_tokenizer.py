# A tokenizer by what makes it, whatever it is called.

from transformers import AutoTokenizer, Trainer, TrainingArguments

tok = AutoTokenizer.from_pretrained("distilbert-base-uncased")


def preprocess(examples):
    return tok(examples["text"], truncation=True, padding="max_length", max_length=512)  #! MEM415 advice


def main(model, data):
    data = data.map(preprocess, batched=True)
    Trainer(model=model, args=TrainingArguments("o"), train_dataset=data["train"]).train()
