"""RAM grows until the OOM killer comes, 8 workers, 12M captions. (after pytorch#13246)"""
import json

import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms
from transformers import CLIPModel, CLIPTokenizer


class Captions(Dataset):
    def __init__(self, ann, root, tok):
        super().__init__()
        with open(ann, encoding="utf8") as fh:
            self.ann = [json.loads(line) for line in fh]  #! MEM402
        self.root, self.tok = root, tok
        self.t = transforms.Compose([transforms.Resize(224), transforms.CenterCrop(224), transforms.ToTensor()])

    def __len__(self):
        return len(self.ann)

    def __getitem__(self, idx):
        rec = self.ann[idx]
        im = Image.open(self.root + rec["file"]).convert("RGB")
        ids = self.tok(rec["caption"], padding="max_length", truncation=True, return_tensors="pt").input_ids[0]
        return {"pixel_values": self.t(im), "input_ids": ids}


def main():
    dev = torch.device("cuda")
    model = CLIPModel.from_pretrained("openai/clip-vit-base-patch32").to(dev)
    tok = CLIPTokenizer.from_pretrained("openai/clip-vit-base-patch32")
    dl = DataLoader(Captions("cc12m.jsonl", "/data/", tok), batch_size=128, shuffle=True, num_workers=8,  #? MEM402
                    pin_memory=True, drop_last=True)
    opt = torch.optim.AdamW(model.parameters(), lr=5e-6)
    for step, batch in enumerate(dl):
        batch = {k: v.to(dev, non_blocking=True) for k, v in batch.items()}
        loss = model(**batch, return_loss=True).loss
        loss.backward()
        opt.step()
        opt.zero_grad(set_to_none=True)
        if step % 100 == 0:
            print(step, loss.item())


if __name__ == "__main__":
    main()
