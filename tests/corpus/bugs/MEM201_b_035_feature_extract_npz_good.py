import argparse
import os

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset
from torchvision import models, transforms
from PIL import Image


class Frames(Dataset):
    def __init__(self, root):
        self.paths = sorted(os.path.join(root, f) for f in os.listdir(root))
        self.tf = transforms.Compose([transforms.Resize(256), transforms.CenterCrop(224), transforms.ToTensor()])

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        return self.tf(Image.open(self.paths[i]).convert("RGB"))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", required=True)
    ap.add_argument("--out", default="features.npz")
    ap.add_argument("--layer", default="avgpool")
    args = ap.parse_args()
    net = models.resnet152(weights="IMAGENET1K_V2").cuda().eval()
    net.fc = torch.nn.Identity()
    loader = DataLoader(Frames(args.root), batch_size=64, num_workers=8)
    feats = []
    with torch.no_grad():
        for i, imgs in enumerate(loader):
            f = net(imgs.cuda())
            feats.append(f.cpu())
            if i % 10 == 0:
                print(f"{i}/{len(loader)}")
    feats = torch.cat(feats).detach().cpu().numpy()
    np.savez_compressed(args.out, feats=feats)


if __name__ == "__main__":
    main()
