import json

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset
from transformers import CLIPModel, CLIPTokenizer


class Captions(Dataset):
    def __init__(self, ann, tok):
        super().__init__()
        lines = [line.encode() for line in open(ann, encoding="utf8")]
        self.addr = torch.tensor(np.cumsum([len(b) for b in lines]))
        self.flat = torch.from_numpy(np.concatenate([np.frombuffer(b, dtype=np.uint8) for b in lines]))
        self.tok = tok

    def __len__(self):
        return len(self.addr)

    def __getitem__(self, idx):
        start = 0 if idx == 0 else self.addr[idx - 1].item()
        rec = json.loads(bytes(self.flat[start:self.addr[idx].item()].numpy()))
        return self.tok(rec["caption"], padding="max_length", truncation=True, return_tensors="pt").input_ids[0]


def main():
    dev = torch.device("cuda")
    model = CLIPModel.from_pretrained("openai/clip-vit-base-patch32").text_model.to(dev)
    tok = CLIPTokenizer.from_pretrained("openai/clip-vit-base-patch32")
    dl = DataLoader(Captions("cc12m.jsonl", tok), batch_size=128, shuffle=True, num_workers=8, pin_memory=True)
    opt = torch.optim.AdamW(model.parameters(), lr=5e-6)
    for step, ids in enumerate(dl):
        loss = model(ids.to(dev, non_blocking=True)).pooler_output.pow(2).mean()
        loss.backward()
        opt.step()
        opt.zero_grad()


if __name__ == "__main__":
    main()
