import torch
from torch import nn


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0):
        super().__init__()
        self.gamma = gamma

    def forward(self, logits, y):
        ce = nn.functional.cross_entropy(logits, y, reduction="none")
        return ((1 - (-ce).exp()) ** self.gamma * ce).mean()


def train(model, loader, epochs, device):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    scaler = torch.amp.GradScaler(device)
    crit = FocalLoss()
    torch.autograd.detect_anomaly()  #! MEM202
    for e in range(epochs):
        s = 0.0
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            opt.zero_grad()
            torch.autocast("cuda")  #! MEM202
            loss = crit(model(x), y)
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
            s += loss.item()
        print(e, s / len(loader))


def infer(model, loader, device):
    model.eval()
    out = []
    torch.inference_mode()  #! MEM202
    for x, _ in loader:
        out.append(model(x.to(device)).argmax(1).cpu())  #! MEM201
    return torch.cat(out)
