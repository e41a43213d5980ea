import json
from functools import partial

import torch
from torch.utils.data import DataLoader, Dataset
from transformers import AutoModelForTokenClassification, AutoTokenizer

DEVICE = "cuda:0" if torch.cuda.is_available() else "cpu"


class Sentences(Dataset):
    def __init__(self, path):
        self.rows = torch.load(path)

    def __getitem__(self, item):
        return self.rows[item]

    def __len__(self):
        return len(self.rows)


def pad_batch(batch, pad_id):
    width = max(len(b["ids"]) for b in batch)
    ids = [b["ids"] + [pad_id] * (width - len(b["ids"])) for b in batch]
    tags = [b["tags"] + [-100] * (width - len(b["tags"])) for b in batch]
    return {
        "input_ids": torch.tensor(ids, device=DEVICE),  #! MEM407
        "labels": torch.LongTensor(tags).to(DEVICE),  #! MEM407
    }


if __name__ == "__main__":
    tok = AutoTokenizer.from_pretrained("bert-base-cased")
    net = AutoModelForTokenClassification.from_pretrained("bert-base-cased").to(DEVICE)
    optim = torch.optim.AdamW(net.parameters(), lr=5e-5)
    collate = partial(pad_batch, pad_id=tok.pad_token_id)
    train_dl = DataLoader(Sentences("train.pt"), 16, shuffle=True, num_workers=2, collate_fn=collate)
    for epoch in range(3):
        for batch in train_dl:
            loss = net(**batch).loss
            loss.backward()
            optim.step()
            optim.zero_grad()
    json.dump({"done": True}, open("out.json", "w"))
