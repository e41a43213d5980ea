import torch
import torch.nn as nn
from tqdm import tqdm

from .config import Config
from .metrics import EpochStats, token_errors


class ASRTrainer:
    def __init__(self, model: nn.Module, cfg: Config):
        self.cfg = cfg
        self.model = model.to(cfg.device)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.ctc = nn.CTCLoss(zero_infinity=True)

    def forward_batch(self, batch):
        mels, targets, mel_lens, target_lens = (b.to(self.cfg.device) for b in batch)
        log_probs = self.model(mels)
        return self.ctc(log_probs.transpose(0, 1), targets, mel_lens, target_lens), log_probs, targets

    def train_epoch(self, loader):
        self.model.train()
        stats = EpochStats()
        for step, batch in enumerate(tqdm(loader, desc="train")):
            loss, log_probs, targets = self.forward_batch(batch)
            (loss / self.cfg.accum_steps).backward()
            if (step + 1) % self.cfg.accum_steps == 0:
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.grad_clip)
                self.opt.step()
                self.opt.zero_grad()
            stats.add(loss.detach(), token_errors(log_probs, targets))
        return stats.summary()

    def evaluate(self, loader):
        self.model.eval()
        stats = EpochStats()
        with torch.inference_mode():
            for batch in loader:
                loss, log_probs, targets = self.forward_batch(batch)
                stats.add(loss.item(), token_errors(log_probs, targets).item())
        return stats.summary()
