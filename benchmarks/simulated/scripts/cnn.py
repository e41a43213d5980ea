"""Two convolutions with batch norm and Adam, batches of 64 images of 32 x 32."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

BATCH, STEPS = 64, 4


class SmallNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.first_norm = nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32)
        self.second, self.second_norm = nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64)
        self.head = nn.Linear(64 * 8 * 8, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.first_norm(self.first(x))), 2)
        x = F.max_pool2d(F.relu(self.second_norm(self.second(x))), 2)
        return self.head(x.flatten(1))


def main():
    torch.manual_seed(0)
    images = torch.randn(BATCH * STEPS, 3, 32, 32)
    labels = torch.randint(0, 10, (BATCH * STEPS,))
    net = SmallNet().to("cuda")
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    for image, label in DataLoader(TensorDataset(images, labels), BATCH, shuffle=True):
        image, label = image.to("cuda"), label.to("cuda")
        output = net(image)
        loss = F.cross_entropy(output, label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.4f}")


main()
