import torch
import torch.nn as nn
import torch.optim as optim
from torchvision.models import resnet50


def main(train_loader, epochs=10):
    device = torch.device("cuda")
    model = resnet50(num_classes=100).to(device)
    model = model.half()  #! MEM301
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    for epoch in range(epochs):
        for images, labels in train_loader:
            images = images.to(device).half()
            labels = labels.to(device)
            optimizer.zero_grad()
            loss = criterion(model(images), labels)
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())
