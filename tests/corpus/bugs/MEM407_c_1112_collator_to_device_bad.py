"""RuntimeError: Cannot re-initialize CUDA in forked subprocess (forum). The collator object knows the device."""
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
        enc = self.tokenizer([f["text"] for f in features], padding=True, truncation=True, max_length=self.max_len,
                             return_tensors="pt")
        enc["labels"] = torch.nn.utils.rnn.pad_sequence([torch.tensor(f["tags"]) for f in features], batch_first=True)
        return {k: v.to(DEVICE) for k, v in enc.items()}  #! MEM407


def run(train_rows):
    tok = AutoTokenizer.from_pretrained("bert-base-cased")
    model = AutoModelForTokenClassification.from_pretrained("bert-base-cased", num_labels=9).to(DEVICE)
    loader = DataLoader(train_rows, batch_size=16, shuffle=True, collate_fn=PadCollator(tok), num_workers=4)  #= MEM407
    optim = torch.optim.AdamW(model.parameters(), lr=3e-5)
    for epoch in range(3):
        for batch in loader:
            optim.zero_grad()
            model(**batch).loss.backward()
            optim.step()
