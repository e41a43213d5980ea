"""Image classification with a residual network; its progress bar asks for the terminal's size."""

import argparse
import os

import torch
import torch.backends.cudnn as cudnn
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from terminal import progress_bar

parser = argparse.ArgumentParser(description="CIFAR-like training")
parser.add_argument("--lr", default=0.1, type=float, help="learning rate")
parser.add_argument("--epochs", default=2, type=int)
parser.add_argument("--width", default=8, type=int)
parser.add_argument("--resume", "-r", action="store_true", help="resume from checkpoint")
args = parser.parse_args()

device = "cuda" if torch.cuda.is_available() else "cpu"
best_acc = 0
start_epoch = 0
torch.manual_seed(0)


class Images(torch.utils.data.Dataset):
    """Random pictures with labels, padded, cropped and flipped as for CIFAR."""

    def __init__(self, count, train):
        self.data = torch.randint(0, 256, (count, 3, 32, 32), dtype=torch.uint8)
        self.targets = torch.randint(0, 10, (count,)).tolist()
        self.train = train

    def __len__(self):
        return len(self.targets)

    def __getitem__(self, index):
        image = self.data[index].float().div(255)
        if self.train and index % 2:
            image = image.flip(-1)
        return (image - 0.47) / 0.25, self.targets[index]


class BasicBlock(nn.Module):
    def __init__(self, in_planes, planes, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(in_planes, planes, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.shortcut = nn.Sequential()
        if stride != 1 or in_planes != planes:
            self.shortcut = nn.Sequential(
                nn.Conv2d(in_planes, planes, 1, stride=stride, bias=False), nn.BatchNorm2d(planes)
            )

    def forward(self, x):
        out = F.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += self.shortcut(x)
        return F.relu(out)


class ResNet(nn.Module):
    def __init__(self, width, num_classes=10):
        super().__init__()
        self.in_planes = width
        self.conv1 = nn.Conv2d(3, width, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.layer1 = self._make_layer(width, 1)
        self.layer2 = self._make_layer(2 * width, 2)
        self.layer3 = self._make_layer(4 * width, 2)
        self.linear = nn.Linear(4 * width, num_classes)

    def _make_layer(self, planes, stride):
        layers = [BasicBlock(self.in_planes, planes, stride)]
        self.in_planes = planes
        return nn.Sequential(*layers)

    def forward(self, x):
        out = F.relu(self.bn1(self.conv1(x)))
        out = self.layer3(self.layer2(self.layer1(out)))
        out = F.avg_pool2d(out, 8)
        return self.linear(out.view(out.size(0), -1))


print("==> Preparing data..")
trainset, testset = Images(512, True), Images(200, False)
trainloader = torch.utils.data.DataLoader(trainset, batch_size=32, shuffle=True)
testloader = torch.utils.data.DataLoader(testset, batch_size=100)

print("==> Building model..")
net = ResNet(args.width)
net = net.to(device)
if device == "cuda":
    net = torch.nn.DataParallel(net) if torch.cuda.device_count() > 1 else net
    cudnn.benchmark = True
if args.resume:
    checkpoint = torch.load("./checkpoint/ckpt.pth")
    net.load_state_dict(checkpoint["net"])
    best_acc, start_epoch = checkpoint["acc"], checkpoint["epoch"]

criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, weight_decay=5e-4)
scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=200)


def train(epoch):
    print(f"\nEpoch: {epoch}")
    net.train()
    train_loss = correct = total = 0
    for batch_idx, (inputs, targets) in enumerate(trainloader):
        inputs, targets = inputs.to(device), targets.to(device)
        optimizer.zero_grad()
        outputs = net(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()
        train_loss += loss.item()
        _, predicted = outputs.max(1)
        total += targets.size(0)
        correct += predicted.eq(targets).sum().item()
        progress_bar(
            batch_idx,
            len(trainloader),
            f"Loss: {train_loss / (batch_idx + 1):.3f} | Acc: {100.0 * correct / total:.3f}% ({correct}/{total})",
        )


def test(epoch):
    global best_acc
    net.eval()
    test_loss = correct = total = 0
    with torch.no_grad():
        for batch_idx, (inputs, targets) in enumerate(testloader):
            inputs, targets = inputs.to(device), targets.to(device)
            outputs = net(inputs)
            loss = criterion(outputs, targets)
            test_loss += loss.item()
            _, predicted = outputs.max(1)
            total += targets.size(0)
            correct += predicted.eq(targets).sum().item()
            progress_bar(
                batch_idx,
                len(testloader),
                f"Loss: {test_loss / (batch_idx + 1):.3f} | Acc: {100.0 * correct / total:.3f}%",
            )
    acc = 100.0 * correct / total
    if acc > best_acc:
        print("Saving..")
        state = {"net": net.state_dict(), "acc": acc, "epoch": epoch}
        if not os.path.isdir("checkpoint"):
            os.mkdir("checkpoint")
        torch.save(state, "./checkpoint/ckpt.pth")
        best_acc = acc


for epoch in range(start_epoch, start_epoch + args.epochs):
    train(epoch)
    test(epoch)
    scheduler.step()
