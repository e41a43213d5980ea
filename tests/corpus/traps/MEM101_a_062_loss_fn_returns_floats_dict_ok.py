import torch
import torch.nn.functional as F


class DetLoss(torch.nn.Module):
    def forward(self, preds, targets):
        box = F.smooth_l1_loss(preds["box"], targets["box"])
        cls = F.binary_cross_entropy_with_logits(preds["cls"], targets["cls"])
        loss = 5 * box + cls
        return loss, torch.stack([box, cls, loss]).detach()


def train(model, loader, epochs):
    crit = DetLoss()
    opt = torch.optim.SGD(model.parameters(), 0.01, 0.9)
    for epoch in range(epochs):
        mloss = torch.zeros(3)
        for i, (imgs, targets) in enumerate(loader):
            loss, loss_items = crit(model(imgs), targets)
            opt.zero_grad()
            loss.backward()
            opt.step()
            mloss = (mloss * i + loss_items) / (i + 1)
        print(epoch, *mloss.tolist())
