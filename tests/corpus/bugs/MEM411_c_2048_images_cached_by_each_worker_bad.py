# Detection data set which keeps each image after it was read the first time.
import glob

import cv2
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class LoadImagesAndLabels(Dataset):
    def __init__(self, path, img_size=416):
        self.img_files = np.array(sorted(glob.glob(path + "/*.jpg")))
        self.img_size = img_size
        self.imgs = [None] * len(self.img_files)

    def __len__(self):
        return len(self.img_files)

    def load_image(self, index):
        img = self.imgs[index]
        if img is None:
            img = cv2.imread(self.img_files[index])
            img = cv2.resize(img, (self.img_size, self.img_size))
            self.imgs[index] = img  #! MEM411
        return img

    def __getitem__(self, index):
        img = self.load_image(index)[:, :, ::-1].transpose(2, 0, 1)
        return torch.from_numpy(np.ascontiguousarray(img)).float() / 255.0


def train(hyp):
    loader = DataLoader(LoadImagesAndLabels(hyp["path"]), batch_size=16, num_workers=8, shuffle=True)
    model = torch.nn.Conv2d(3, 8, 3)
    opt = torch.optim.SGD(model.parameters(), lr=hyp["lr0"], momentum=hyp["momentum"], nesterov=True)
    for epoch in range(hyp["epochs"]):
        for imgs in loader:
            loss = model(imgs).square().mean()
            loss.backward()
            opt.step()
            opt.zero_grad()


train({"path": "coco/images", "lr0": 0.01, "momentum": 0.9, "epochs": 3})
