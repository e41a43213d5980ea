# keyword form, pictures read by OpenCV, a second loader for validation that already has workers

import cv2
import torch
from torch.utils.data import DataLoader, Dataset


class Frames(Dataset):
    def __init__(self, files, augment=None):
        self.files, self.augment = files, augment

    def __len__(self):
        return len(self.files)

    def __getitem__(self, item):
        picture = cv2.imread(self.files[item])
        if self.augment:
            picture = self.augment(image=picture)["image"]
        return torch.from_numpy(picture).permute(2, 0, 1).float() / 255


def run(train_files, val_files):
    train_dl = DataLoader(dataset=Frames(train_files), batch_size=4, shuffle=True)  #! MEM401 warning
    val_dl = DataLoader(dataset=Frames(val_files), batch_size=4, num_workers=2)
    net = torch.nn.Conv2d(3, 3, 3, padding=1)
    opt = torch.optim.Adam(net.parameters())
    for epoch in range(3):
        for frames in train_dl:
            opt.zero_grad()
            (net(frames) - frames).abs().mean().backward()
            opt.step()
        with torch.no_grad():
            print(sum((net(f) - f).abs().mean().item() for f in val_dl))
