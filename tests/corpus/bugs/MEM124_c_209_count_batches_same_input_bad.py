import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


def main():
    device = torch.device("cuda")
    ds = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
    trainloader = DataLoader(ds, batch_size=64, shuffle=True, num_workers=4)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10)).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(net.parameters(), lr=0.01)
    dataiter = iter(trainloader)
    inputs, labels = next(dataiter)
    num_batches = len(trainloader)
    for epoch in range(5):
        running = 0.0
        for b in range(num_batches):
            inputs, labels = inputs.to(device), labels.to(device)
            optimizer.zero_grad()
            outputs = net(inputs)  #! MEM124
            loss = criterion(outputs, labels)
            loss.backward()
            optimizer.step()
            running += loss.item()
        print(epoch, running / num_batches)


if __name__ == "__main__":
    main()
