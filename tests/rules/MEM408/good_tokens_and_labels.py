# integers of a text

import torch


def train(net, text, encode, optimizer, device="cuda"):
    data = torch.as_tensor(encode(text)).long().to(device)
    labels = torch.load("labels.pt").to(device)
    for step in range(1000):
        optimizer.zero_grad()
        net(data[step : step + 64], labels[step]).backward()
        optimizer.step()
