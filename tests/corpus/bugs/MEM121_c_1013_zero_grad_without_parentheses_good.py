# loss oscillates and grads explode after some epochs...
import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter


class CharCNN(nn.Module):
    def __init__(self, n_chars=70, n_out=4):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(n_chars, 256, 7), nn.ReLU(), nn.MaxPool1d(3), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(256, n_out))

    def forward(self, x):
        return self.net(x)


def run(train_loader, epochs=10):
    writer = SummaryWriter()
    model = CharCNN().to("cuda:0")
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    step = 0
    for epoch in range(epochs):
        for inputs, labels in train_loader:
            inputs, labels = inputs.to("cuda:0"), labels.to("cuda:0")
            optimizer.zero_grad()
            outputs = model(inputs)
            loss = criterion(outputs, labels)
            loss.backward()
            optimizer.step()
            writer.add_scalar("loss", loss, step)
            step += 1
    writer.close()
