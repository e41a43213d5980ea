# A caption data set that keeps its annotations as a list of dicts.
import json
import os.path as osp

import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms as T


class CaptionDataset(Dataset):
    def __init__(self, root, split="train"):
        self.root = root
        self.transform = T.Compose([T.Resize(256), T.CenterCrop(224), T.ToTensor()])
        with open(osp.join(root, f"{split}.jsonl"), "rb") as f:
            lines = f.read()
        self.text = torch.frombuffer(bytearray(lines), dtype=torch.uint8)
        self.ends = torch.cat([torch.zeros(1, dtype=torch.long), (self.text == 10).nonzero()[:, 0] + 1])

    def __len__(self):
        return len(self.ends) - 1

    def __getitem__(self, idx):
        anno = json.loads(bytes(self.text[self.ends[idx]:self.ends[idx + 1]].numpy()))
        image = self.transform(Image.open(osp.join(self.root, anno["file"])).convert("RGB"))
        return image, torch.tensor(anno["ids"][:20])


def main():
    loader = DataLoader(CaptionDataset("coco"), batch_size=64, shuffle=True, num_workers=16, pin_memory=True)
    net = nn.Sequential(nn.Conv2d(3, 32, 7, 4), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 9000)).cuda()
    opt = torch.optim.AdamW(net.parameters())
    for epoch in range(30):
        for image, ids in loader:
            loss = nn.functional.cross_entropy(net(image.cuda(non_blocking=True)), ids[:, 0].cuda(non_blocking=True))
            opt.zero_grad()
            loss.backward()
            opt.step()


if __name__ == "__main__":
    main()
