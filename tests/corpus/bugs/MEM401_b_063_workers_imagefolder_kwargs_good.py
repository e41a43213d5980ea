import torch
import torchvision.transforms as T
from torch import nn
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder

cfg = {
    "data": {"train": "imagenette/train", "val": "imagenette/val"},
    "loader": {"batch_size": 64, "num_workers": 8, "pin_memory": True},
    "epochs": 40,
}


def loaders():
    norm = T.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
    tr = T.Compose([T.RandomResizedCrop(224), T.RandomHorizontalFlip(), T.ColorJitter(0.4, 0.4, 0.4), T.ToTensor(), norm])
    va = T.Compose([T.Resize(256), T.CenterCrop(224), T.ToTensor(), norm])
    train = DataLoader(ImageFolder(cfg["data"]["train"], tr), shuffle=True, **cfg["loader"])
    val = DataLoader(ImageFolder(cfg["data"]["val"], va), batch_size=64, num_workers=8)
    return train, val


@torch.no_grad()
def top1(net, dl):
    net.eval()
    return sum((net(x.cuda()).argmax(1).cpu() == y).sum().item() for x, y in dl) / len(dl.dataset)


def main():
    from torchvision.models import resnet18

    train, val = loaders()
    net = resnet18(num_classes=10).cuda()
    opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
    crit = nn.CrossEntropyLoss()
    for ep in range(cfg["epochs"]):
        net.train()
        for x, y in train:
            opt.zero_grad(set_to_none=True)
            crit(net(x.cuda(non_blocking=True)), y.cuda(non_blocking=True)).backward()
            opt.step()
        print(ep, top1(net, val))


if __name__ == "__main__":
    main()
