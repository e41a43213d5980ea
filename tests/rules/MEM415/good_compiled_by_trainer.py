# The Trainer compiles the model, for one shape.

from transformers import AutoTokenizer, Trainer, TrainingArguments

tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")


def tokenize(rows):
    return tokenizer(rows["text"], padding="max_length", max_length=512)


def main(model, data):
    arguments = TrainingArguments("out", torch_compile=True)
    Trainer(model=model, args=arguments, train_dataset=data.map(tokenize)).train()
