"""A siamese network with contrastive loss that remembers every distance it has seen."""

import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self, count, size):
        self.images = torch.rand(count, 1, size, size)
        self.labels = torch.randint(0, 10, (count,))

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        other = (7 * index + 3) % len(self.images)
        return self.images[index], self.images[other], (self.labels[index] == self.labels[other]).float()


class SiameseNetwork(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.fc = nn.Sequential(
            nn.Flatten(), nn.Linear(size * size, 128), nn.ReLU(), nn.Dropout(0.1), nn.Linear(128, 32)
        )

    def forward_once(self, x):
        return self.fc(x)

    def forward(self, input1, input2):
        return self.forward_once(input1), self.forward_once(input2)


class ContrastiveLoss(nn.Module):
    def __init__(self, margin=2.0):
        super().__init__()
        self.margin = margin
        self.history = []

    def forward(self, output1, output2, label):
        distance = F.pairwise_distance(output1, output2, keepdim=True)
        self.history.append(distance.detach())
        far = torch.pow(torch.clamp(self.margin - distance, min=0.0), 2)
        return torch.mean(label[:, None] * torch.pow(distance, 2) + (1 - label[:, None]) * far)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=512)
    parser.add_argument("--size", type=int, default=20)
    args = parser.parse_args()
    torch.manual_seed(3)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(Pairs(5120, args.size), shuffle=True, batch_size=args.batch_size)
    net = SiameseNetwork(args.size).to(device)
    criterion = ContrastiveLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-4)
    for epoch in range(args.epochs):
        running = 0.0
        for img0, img1, label in loader:
            img0, img1, label = img0.to(device), img1.to(device), label.to(device)
            optimizer.zero_grad()
            output1, output2 = net(img0, img1)
            loss = criterion(output1, output2, label)
            loss.backward()
            optimizer.step()
            running += loss.item()
        print(f"Epoch {epoch}: loss {running / len(loader):.4f}, mean distance {criterion.history[-1].mean():.3f}")
    torch.save(net.state_dict(), "siamese.pt")


if __name__ == "__main__":
    main()
