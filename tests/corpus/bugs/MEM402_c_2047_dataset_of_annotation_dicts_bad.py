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
        self.annos = []  #! MEM402
        with open(osp.join(root, f"{split}.jsonl")) as f:
            for line in f:
                record = json.loads(line)
                self.annos.append({"file": record["file"], "ids": record["ids"], "w": record["w"]})

    def __len__(self):
        return len(self.annos)

    def __getitem__(self, idx):
        anno = self.annos[idx]
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
