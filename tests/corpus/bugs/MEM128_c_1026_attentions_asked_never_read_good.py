import torch
from torch.utils.data import DataLoader
from transformers import BertConfig, BertForSequenceClassification

cfg = BertConfig.from_pretrained("bert-base-uncased", num_labels=2)
model = BertForSequenceClassification.from_pretrained("bert-base-uncased", config=cfg).cuda()
opt = torch.optim.AdamW(model.parameters(), lr=2e-5)


def train(loader: DataLoader, epochs: int):
    model.train()
    for _ in range(epochs):
        for batch in loader:
            ids, mask, y = (t.cuda() for t in batch)
            opt.zero_grad()
            model(ids, attention_mask=mask, labels=y).loss.backward()
            opt.step()
