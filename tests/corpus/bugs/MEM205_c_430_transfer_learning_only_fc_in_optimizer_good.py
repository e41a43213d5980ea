import torch
import torch.nn as nn
from torchvision import datasets, models, transforms


def train_model(model, criterion, optimizer, loader, num_epochs=3):
    for epoch in range(num_epochs):
        model.train()
        for inputs, labels in loader:
            inputs, labels = inputs.cuda(), labels.cuda()
            optimizer.zero_grad()
            outputs = model(inputs)
            loss = criterion(outputs, labels)
            loss.backward()
            optimizer.step()
    return model


train_set = datasets.FakeData(64, (3, 224, 224), 2, transforms.ToTensor())
loader = torch.utils.data.DataLoader(train_set, batch_size=4, shuffle=True, num_workers=4)
model_conv = models.resnet50(weights="IMAGENET1K_V2")
for param in model_conv.parameters():
    param.requires_grad = False
num_ftrs = model_conv.fc.in_features
model_conv.fc = nn.Linear(num_ftrs, 2)
model_conv = model_conv.cuda()
# only the parameters of the final layer are optimized
optimizer_conv = torch.optim.SGD(model_conv.fc.parameters(), lr=0.001, momentum=0.9)
train_model(model_conv, nn.CrossEntropyLoss(), optimizer_conv, loader)
