import torch
import torch.nn as nn
from itertools import cycle


def train_dann(feature, classifier, domain_clf, source_loader, target_loader, epochs, device):
    opt = torch.optim.SGD([*feature.parameters(), *classifier.parameters(), *domain_clf.parameters()], lr=0.01)
    ce = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        epoch_cls, epoch_dom = 0.0, 0.0
        len_dl = min(len(source_loader), len(target_loader))
        for step, ((xs, ys), (xt, _)) in enumerate(zip(source_loader, target_loader)):
            p = (step + epoch * len_dl) / (epochs * len_dl)
            alpha = 2. / (1. + torch.exp(torch.tensor(-10 * p))) - 1
            xs, ys, xt = xs.to(device), ys.to(device), xt.to(device)
            opt.zero_grad()
            fs, ft = feature(xs), feature(xt)
            cls_loss = ce(classifier(fs), ys)
            dom_loss = ce(domain_clf(fs, alpha), torch.zeros(len(xs)).long().to(device)) \
                + ce(domain_clf(ft, alpha), torch.ones(len(xt)).long().to(device))
            loss = cls_loss + dom_loss
            loss.backward()
            opt.step()
            epoch_cls += cls_loss.item()
            epoch_dom += dom_loss.item()
        print(f"epoch {epoch}: cls {epoch_cls / len_dl:.3f} dom {epoch_dom / len_dl:.3f}")
