import json
from pathlib import Path

import numpy as np
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
        index = {image["id"]: k for k, image in enumerate(blob["images"])}
        self.names = np.array([image["file_name"] for image in blob["images"]], dtype=np.bytes_)
        self.boxes = torch.tensor([ann["bbox"] for ann in blob["annotations"]])
        self.labels = torch.tensor([ann["category_id"] for ann in blob["annotations"]])
        self.owner = torch.tensor([index[ann["image_id"]] for ann in blob["annotations"]])

    def __len__(self):
        return len(self.names)

    def __getitem__(self, idx):
        image = read_image(str(self.root / self.names[idx].decode())).float() / 255
        mine = self.owner == idx
        return image, {"boxes": self.boxes[mine], "labels": self.labels[mine]}


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
