import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, models, transforms


def get_loaders(root, batch_size):
    tf = transforms.Compose([
        transforms.RandomResizedCrop(224),
        transforms.RandomHorizontalFlip(),
        transforms.ColorJitter(0.4, 0.4, 0.4),
        transforms.ToTensor(),
        transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
    ])
    train_set = datasets.ImageFolder(root + "/train", tf)
    return DataLoader(train_set, batch_size=batch_size, shuffle=True, num_workers=8, pin_memory=True)


def main():
    loader = get_loaders("/data/imagenet", 128)
    model = models.resnet50().cuda()
    opt = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    crit = nn.CrossEntropyLoss()
    for epoch in range(90):
        for x, y in loader:
            loss = crit(model(x.cuda()), y.cuda())
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
