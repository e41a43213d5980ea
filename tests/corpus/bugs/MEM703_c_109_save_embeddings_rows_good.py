import os
import torch
import torchvision


def main(out="emb"):
    os.makedirs(out, exist_ok=True)
    net = torchvision.models.resnet18(weights=None)
    net.fc = torch.nn.Identity()
    net.eval()
    data = torchvision.datasets.FakeData(64, transform=torchvision.transforms.ToTensor())
    loader = torch.utils.data.DataLoader(data, batch_size=16)
    n = 0
    for images, labels in loader:
        with torch.no_grad():
            emb = net(images).flatten(1)
        for j in range(emb.shape[0]):
            torch.save(emb[j].clone(), f"{out}/{n}.pt")
            n += 1


if __name__ == "__main__":
    main()
