# A sentence that is typed in, and a function that predicts.

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased")


def predict(text):
    batch = tokenizer(text, padding="max_length", max_length=512, return_tensors="pt")
    with torch.no_grad():
        return model(**batch).logits.argmax(-1)


print(tokenizer("what is this", padding="max_length", max_length=512))
