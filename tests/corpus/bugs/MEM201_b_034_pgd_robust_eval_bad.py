import torch
import torch.nn as nn
import torch.nn.functional as F


def pgd_attack(model, x, y, eps=8 / 255, alpha=2 / 255, steps=10):
    adv = x + torch.empty_like(x).uniform_(-eps, eps)
    for _ in range(steps):
        adv.requires_grad_(True)
        loss = F.cross_entropy(model(adv), y)
        g = torch.autograd.grad(loss, adv)[0]
        adv = adv.detach() + alpha * g.sign()
        adv = torch.min(torch.max(adv, x - eps), x + eps).clamp(0, 1)
    return adv.detach()


def evaluate_robust(model, loader, device):
    model.eval()
    adv_loss, adv_ok, nat_ok, n = 0, 0, 0, 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        x_adv = pgd_attack(model, x, y)
        out = model(x_adv)  #! MEM201
        adv_loss += F.cross_entropy(out, y)  #! MEM101
        adv_ok += (out.argmax(1) == y).sum().item()
        with torch.no_grad():
            nat_ok += (model(x).argmax(1) == y).sum().item()
        n += y.size(0)
    return float(adv_loss) / len(loader), adv_ok / n, nat_ok / n


def train(model, loader, optimizer, device, beta=6.0):
    model.train()
    for i, (x, y) in enumerate(loader):
        x, y = x.to(device), y.to(device)
        x_adv = pgd_attack(model, x, y)
        optimizer.zero_grad()
        nat = model(x)
        rob = F.kl_div(F.log_softmax(model(x_adv), 1), F.softmax(nat, 1), reduction="batchmean")
        loss = F.cross_entropy(nat, y) + beta * rob
        loss.backward()
        optimizer.step()
        if i % 100 == 0:
            print(i, loss.item())


def main(model, train_loader, test_loader):
    opt = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=2e-4)
    for epoch in range(76):
        train(model, train_loader, opt, "cuda")
        if epoch % 5 == 0:
            print(epoch, evaluate_robust(model, test_loader, "cuda"))
