import torch
import torch.nn as nn


class Trainer:
    def __init__(self, cfg, model):
        self.cfg = cfg
        self.model = model.to(cfg.device)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
        self.scaler = torch.cuda.amp.GradScaler()  #! MEM903
        self.loss_fn = nn.CTCLoss(zero_infinity=True)

    def train_epoch(self, loader):
        for wav, wlen, txt, tlen in loader:
            with torch.cuda.amp.autocast():  #! MEM903
                logp = self.model(wav.to(self.cfg.device)).log_softmax(-1)
                loss = self.loss_fn(logp, txt, wlen, tlen)
            self.optimizer.zero_grad()
            self.scaler.scale(loss).backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)  #! MEM303
            self.scaler.step(self.optimizer)
            self.scaler.update()
