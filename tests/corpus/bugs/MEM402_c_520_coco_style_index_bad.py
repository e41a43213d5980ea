import json
from collections import defaultdict
from pathlib import Path

import torch
import torchvision
from torch import optim
from torch.utils.data import DataLoader, Dataset
from torchvision.io import read_image


class Detection(Dataset):
    def __init__(self, root, ann_file, transforms=None):
        self.root = Path(root)
        self.transforms = transforms
        blob = json.loads(Path(ann_file).read_text())
        self.images = blob["images"]  #! MEM402
        self.by_image = defaultdict(list)  #! MEM402
        for ann in blob["annotations"]:
            self.by_image[ann["image_id"]].append({"bbox": ann["bbox"], "label": ann["category_id"]})

    def __len__(self):
        return len(self.images)

    def __getitem__(self, idx):
        info = self.images[idx]
        image = read_image(str(self.root / info["file_name"])).float() / 255
        anns = self.by_image[info["id"]]
        target = {
            "boxes": torch.tensor([a["bbox"] for a in anns]),
            "labels": torch.tensor([a["label"] for a in anns]),
        }
        return image, target


def collate(batch):
    return tuple(zip(*batch))


def main():
    data = Detection("coco/train2017", "coco/instances_train2017.json")
    loader = DataLoader(data, batch_size=2, shuffle=True, num_workers=8, collate_fn=collate, pin_memory=True)
    model = torchvision.models.detection.fasterrcnn_resnet50_fpn(num_classes=91)
    opt = optim.SGD(model.parameters(), lr=0.005, momentum=0.9)
    model.train()
    for images, targets in loader:
        losses = model(list(images), list(targets))
        loss = sum(losses.values())
        opt.zero_grad()
        loss.backward()
        opt.step()


if __name__ == "__main__":
    main()
