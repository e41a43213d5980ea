import json
import cv2
import numpy as np
import torch
from torch.utils.data import Dataset


class Coco(Dataset):
    def __init__(self, ann):
        self.ids = np.array([a["id"] for a in json.load(open(ann))["images"]])

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        return torch.from_numpy(cv2.imread(f"{self.ids[i]}.jpg")).permute(2, 0, 1).float()


def collate(items):
    return torch.stack([i.cuda() for i in items])  #! MEM407
