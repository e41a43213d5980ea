import torch
import torch.nn as nn
import torch.nn.functional as F


class DeepSupervised(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList(nn.Conv2d(3 if i == 0 else 16, 16, 3, padding=1) for i in range(4))
        self.heads = nn.ModuleList(nn.Conv2d(16, 2, 1) for _ in range(4))

    def forward(self, x):
        outs = []
        for s, h in zip(self.stages, self.heads):
            x = s(x).relu()
            outs.append(h(x))
        return outs


def train(net, loader, opt):
    for x, y in loader:
        losses = []
        for o, w in zip(net(x), (0.1, 0.2, 0.3, 0.4)):
            losses.append(w * F.cross_entropy(o, y))
        opt.zero_grad()
        torch.stack(losses).sum().backward()
        opt.step()


def detection(model, loader, opt):
    for imgs, tgts in loader:
        loss_dict = model(imgs, tgts)
        total = torch.zeros((), device=imgs[0].device)
        for k in loss_dict:
            total += loss_dict[k]
        opt.zero_grad()
        total.backward()
        opt.step()


def triplets(net, miner, loader, opt, margin=0.3):
    for x, y in loader:
        emb = net(x)
        parts, n = [], 0
        for a, p, q in miner(emb.detach(), y):
            parts.append(F.relu((emb[a] - emb[p]).norm() - (emb[a] - emb[q]).norm() + margin))
            n += 1
        if not parts:
            continue
        loss = sum(parts) / n
        opt.zero_grad()
        loss.backward()
        opt.step()


def style(gen, vgg, content, styles, steps=200):
    img = content.clone().requires_grad_(True)
    opt = torch.optim.LBFGS([img])
    grams = [(f @ f.transpose(1, 2)).detach() for f in vgg(styles)]
    run = [0]
    while run[0] <= steps:
        def closure():
            opt.zero_grad()
            score = 0
            for f, g in zip(vgg(img), grams):
                score += F.mse_loss(f @ f.transpose(1, 2), g)
            score.backward()
            run[0] += 1
            return score
        opt.step(closure)
    return img
