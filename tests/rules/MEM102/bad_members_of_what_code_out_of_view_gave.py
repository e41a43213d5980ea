# what code out of view gives beside a loss is gone through by a list: it may be a list itself, so no fix

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
            num_negs.extend(tmp_num_negs)  #! MEM102 warning
            shares.append(share)  #! MEM102 warning
            optimizer.zero_grad()
            self.scaler.scale(loss).backward()
            self.scaler.step(optimizer)
            self.scaler.update()
            progress.set_postfix(loss=loss.item(), epoch_negs=len(num_negs))
        return len(shares)

    def train(self, loader, optimizer):
        self._train_pairs(loader, optimizer)
