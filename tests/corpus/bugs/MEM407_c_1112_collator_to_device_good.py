from dataclasses import dataclass
from typing import Any

import torch
from torch.utils.data import DataLoader
from transformers import AutoModelForTokenClassification, AutoTokenizer

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


@dataclass
class PadCollator:
    tokenizer: Any
    max_len: int = 256

    def __call__(self, features):
        return self.tokenizer([f["text"] for f in features], padding=True, truncation=True, max_length=self.max_len,
                              return_tensors="pt")


def run(train_rows):
    tok = AutoTokenizer.from_pretrained("bert-base-cased")
    model = AutoModelForTokenClassification.from_pretrained("bert-base-cased", num_labels=9).to(DEVICE)
    loader = DataLoader(train_rows, batch_size=16, shuffle=True, collate_fn=PadCollator(tok), num_workers=4,
                        pin_memory=True, persistent_workers=True)
    optim = torch.optim.AdamW(model.parameters(), lr=3e-5)
    for epoch in range(3):
        for batch in loader:
            batch = {k: v.to(DEVICE, non_blocking=True) for k, v in batch.items()}
            optim.zero_grad()
            model(**batch).loss.backward()
            optim.step()
