import numpy as np
import torch
from sklearn.model_selection import StratifiedKFold
from torch import nn
from torch.utils.data import DataLoader, Subset


class Fold:
    def __init__(self, k, model, lr):
        self.k = k
        self.model = model.cuda()
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.crit = nn.BCEWithLogitsLoss()
        self.val_preds = []

    def train_one_epoch(self, dl):
        self.model.train()
        meter = []
        for x, y in dl:
            out = self.model(x.cuda()).squeeze(1)
            loss = self.crit(out, y.cuda().float())
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            meter.append(loss.item())
        return np.mean(meter)

    def validate(self, dl):
        self.model.eval()
        self.val_preds = []
        for x, y in dl:
            out = self.model(x.cuda()).squeeze(1)  #! MEM201
            self.val_preds += [out.sigmoid()]  #! MEM102
        p = torch.cat(self.val_preds)
        return p.detach().cpu().numpy()


def main(dataset, labels, make_model, folds=5, epochs=12):
    oof = np.zeros(len(labels))
    for k, (tr, va) in enumerate(StratifiedKFold(folds, shuffle=True, random_state=0).split(labels, labels)):
        fold = Fold(k, make_model(), 1e-4)
        tdl = DataLoader(Subset(dataset, tr), batch_size=32, shuffle=True, num_workers=4)
        vdl = DataLoader(Subset(dataset, va), batch_size=64, num_workers=4)
        for e in range(epochs):
            print(k, e, fold.train_one_epoch(tdl))
        oof[va] = fold.validate(vdl)
    return oof
