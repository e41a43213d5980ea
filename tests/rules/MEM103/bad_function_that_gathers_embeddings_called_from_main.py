# function that gathers embeddings, called from main

import torch
import torchvision
from torch.utils.data import DataLoader


@torch.inference_mode()
def embed(backbone, loader):
    feats, labels = [], []
    for x, y in loader:
        x = x.cuda(non_blocking=True)
        f = torch.nn.functional.normalize(backbone(x), dim=1)
        feats.append(f)  #! MEM103 warning
        labels.append(y)
    return torch.cat(feats), torch.cat(labels)


def main():
    data = torchvision.datasets.FakeData(size=512, transform=torchvision.transforms.ToTensor())
    backbone = torchvision.models.resnet18().cuda().eval()
    backbone.fc = torch.nn.Identity()
    feats, labels = embed(backbone, DataLoader(data, batch_size=64, num_workers=2))
    torch.save({"feats": feats.cpu(), "labels": labels}, "bank.pt")


if __name__ == "__main__":
    main()
