import json

import torch
from torch.utils.data import DataLoader, Dataset
from transformers import AutoModelForSequenceClassification, AutoTokenizer


class ReviewDataset(Dataset):
    def __init__(self, path, tokenizer, max_len=256):
        self.rows = [json.loads(l) for l in open(path)]
        self.tokenizer = tokenizer
        self.max_len = max_len

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        r = self.rows[i]
        enc = self.tokenizer(r["text"], truncation=True, padding="max_length", max_length=self.max_len,
                             return_tensors="pt")
        return {"input_ids": enc["input_ids"][0], "attention_mask": enc["attention_mask"][0],
                "labels": torch.tensor(r["label"])}


def main():
    tok = AutoTokenizer.from_pretrained("bert-base-uncased")
    model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased").cuda()
    loader = DataLoader(ReviewDataset("train.jsonl", tok), batch_size=16, shuffle=True)  #! MEM401
    opt = torch.optim.AdamW(model.parameters(), lr=2e-5)
    model.train()
    for epoch in range(3):
        for batch in loader:
            out = model(**{k: v.cuda() for k, v in batch.items()})
            opt.zero_grad()
            out.loss.backward()
            opt.step()
        print(epoch, out.loss.item())


if __name__ == "__main__":
    main()
