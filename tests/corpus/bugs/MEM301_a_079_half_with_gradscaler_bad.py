import torch
import torch.nn as nn


def train(net, loader, epochs, lr=1e-3):
    net = net.cuda().half()  #! MEM301
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    scaler = torch.amp.GradScaler("cuda")
    mse = nn.MSELoss()
    for epoch in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            pred = net(x.cuda().half())
            loss = mse(pred, y.cuda().half())
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
        print(f"epoch {epoch}: {loss.item():.5f}")
