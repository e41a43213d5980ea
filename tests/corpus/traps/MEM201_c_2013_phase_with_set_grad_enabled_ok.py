# The phases share their code, and grad mode follows the phase.
import torch
from torch import nn

net = nn.Sequential(nn.Linear(10, 30), nn.ReLU(), nn.Linear(30, 2))
optimizer = torch.optim.SGD(net.parameters(), 0.1)
best = 0.0
for epoch in range(4):
    for phase in ["train", "val"]:
        is_train = phase == "train"
        net.train(is_train)
        running_loss, running_corrects = 0.0, 0
        for _ in range(30):
            x = torch.randn(16, 10)
            y = (x.sum(1) > 0).long()
            optimizer.zero_grad()
            with torch.set_grad_enabled(is_train):
                out = net(x)
                loss = nn.functional.cross_entropy(out, y)
                if is_train:
                    loss.backward()
                    optimizer.step()
            running_loss += loss.item() * x.size(0)
            running_corrects += torch.sum(out.argmax(1) == y.data)
        if not is_train and running_corrects > best:
            best = running_corrects
