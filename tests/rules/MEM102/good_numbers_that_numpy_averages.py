# NumPy averages the list as it is, which raises for a tensor that requires grad: these are numbers

import numpy as np
import torch


class Trainer:
    def __init__(self, method, scaler):
        self.scaler = scaler
        match method:
            case "clip":
                from models import CLIP
                self.model = CLIP()
            case "pairs":
                from models import Pairs
                self.model = Pairs()

    def _train_pairs(self, progress, optimizer):
        num_negs, shares = [], []
        for step, batch in enumerate(progress):
            img_emb, txt_emb, txt_lens = self.model(**batch)
            loss, tmp_num_negs, share = self.model.contrastive_loss(img_emb, txt_emb, txt_lens)
            num_negs.extend(tmp_num_negs)
            shares.append(share)
            optimizer.zero_grad()
            self.scaler.scale(loss).backward()
            self.scaler.step(optimizer)
            self.scaler.update()
            progress.set_postfix(loss=loss.item(), epoch_negs=np.mean(num_negs))
        return np.sum(shares)

    def train(self, loader, optimizer):
        self._train_pairs(loader, optimizer)
