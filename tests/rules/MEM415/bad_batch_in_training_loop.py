# The texts of a batch are at hand when they are tokenized.

from torch.utils.data import DataLoader
from transformers import AutoModelForSequenceClassification, AutoTokenizer
import torch

tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased")
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)


def train(rows):
    loader = DataLoader(rows, batch_size=16, shuffle=True)
    for texts, labels in loader:
        batch = tokenizer(texts, padding="max_length", truncation=True, return_tensors="pt")  #! MEM415 advice
        loss = model(**batch, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
