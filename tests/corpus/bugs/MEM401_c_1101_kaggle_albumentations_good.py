"""Kaggle baseline after the remedy."""
import os

import cv2
import albumentations as A
import pandas as pd
import torch
from albumentations.pytorch import ToTensorV2
from torch.utils.data import DataLoader, Dataset


class CassavaDS(Dataset):
    def __init__(self, df, root, tfm):
        self.df, self.root, self.tfm = df.reset_index(drop=True), root, tfm

    def __len__(self):
        return len(self.df)

    def __getitem__(self, i):
        row = self.df.iloc[i]
        img = cv2.cvtColor(cv2.imread(f"{self.root}/{row.image_id}"), cv2.COLOR_BGR2RGB)
        return self.tfm(image=img)["image"], row.label


def train_fold(model, trn, criterion, device):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    tfm = A.Compose([A.Resize(384, 384), A.Normalize(), ToTensorV2()])
    loader = DataLoader(CassavaDS(trn, "train_images", tfm), batch_size=16, shuffle=True, pin_memory=True,
                        num_workers=min(4, os.cpu_count() or 1), persistent_workers=True)
    for epoch in range(8):
        for x, y in loader:
            x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
            loss = criterion(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()


if __name__ == "__main__":
    import timm

    frame = pd.read_csv("train.csv")
    net = timm.create_model("tf_efficientnet_b3_ns", pretrained=True, num_classes=5).cuda()
    train_fold(net, frame, torch.nn.CrossEntropyLoss(), "cuda")
