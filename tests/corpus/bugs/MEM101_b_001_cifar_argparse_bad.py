import argparse
import os

import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision
import torchvision.transforms as transforms
from models import resnet18

parser = argparse.ArgumentParser(description="CIFAR baseline")
parser.add_argument("--lr", default=0.1, type=float)
parser.add_argument("--resume", "-r", action="store_true")
parser.add_argument("--epochs", type=int, default=200)
args = parser.parse_args()

device = "cuda" if torch.cuda.is_available() else "cpu"
tf = transforms.Compose([transforms.RandomCrop(32, padding=4), transforms.ToTensor()])
trainset = torchvision.datasets.CIFAR10("./data", train=True, download=True, transform=tf)
trainloader = torch.utils.data.DataLoader(trainset, batch_size=128, shuffle=True, num_workers=2)
testset = torchvision.datasets.CIFAR10("./data", train=False, transform=transforms.ToTensor())
testloader = torch.utils.data.DataLoader(testset, batch_size=100, num_workers=2)

net = resnet18(num_classes=10).to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, weight_decay=5e-4)
best_acc = 0


def train(epoch):
    net.train()
    train_loss, correct, total = 0, 0, 0
    for batch_idx, (inputs, targets) in enumerate(trainloader):
        inputs, targets = inputs.to(device), targets.to(device)
        optimizer.zero_grad()
        outputs = net(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()
        train_loss += loss  #! MEM101
        _, predicted = outputs.max(1)
        total += targets.size(0)
        correct += predicted.eq(targets).sum().item()
    print("epoch %d loss %.3f acc %.2f" % (epoch, train_loss / (batch_idx + 1), 100. * correct / total))


def test(epoch):
    global best_acc
    net.eval()
    test_loss, correct, total = 0, 0, 0
    for batch_idx, (inputs, targets) in enumerate(testloader):
        inputs, targets = inputs.to(device), targets.to(device)
        outputs = net(inputs)  #! MEM201
        test_loss += criterion(outputs, targets)  #! MEM101
        correct += outputs.argmax(1).eq(targets).sum().item()
        total += targets.size(0)
    acc = 100. * correct / total
    if acc > best_acc:
        os.makedirs("checkpoint", exist_ok=True)
        torch.save({"net": net.state_dict(), "acc": acc}, "./checkpoint/ckpt.pth")
        best_acc = acc


for epoch in range(args.epochs):
    train(epoch)
    test(epoch)
