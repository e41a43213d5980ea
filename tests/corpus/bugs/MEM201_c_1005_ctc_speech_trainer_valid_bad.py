import logging
import os
import time

import editdistance
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_packed_sequence, pack_padded_sequence

logger = logging.getLogger(__name__)


class DeepSpeech(nn.Module):
    def __init__(self, feat=80, hidden=512, vocab=29):
        super().__init__()
        self.conv = nn.Conv1d(feat, hidden, 5, stride=2, padding=2)
        self.rnn = nn.LSTM(hidden, hidden, 3, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, vocab)

    def forward(self, feats, lens):
        h = self.conv(feats.transpose(1, 2)).transpose(1, 2)
        packed = pack_padded_sequence(h, (lens // 2).cpu(), batch_first=True, enforce_sorted=False)
        h, n = pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        return self.out(h).log_softmax(-1), n


class Solver:
    def __init__(self, data, model, optimizer, args):
        self.tr_loader = data["tr_loader"]
        self.cv_loader = data["cv_loader"]
        self.model = model
        self.optimizer = optimizer
        self.ctc = nn.CTCLoss(blank=0, zero_infinity=True)
        self.epochs = args.epochs
        self.save_folder = args.save_folder
        self.tr_loss = torch.Tensor(self.epochs)
        self.cv_loss = torch.Tensor(self.epochs)

    def train(self):
        for epoch in range(self.epochs):
            self.model.train()
            start = time.time()
            tr_avg_loss = self._run_one_epoch(epoch)
            logger.info("Train Summary | End of Epoch %d | Time %.2fs | Loss %.3f", epoch + 1, time.time() - start, tr_avg_loss)
            self.model.eval()
            val_loss = self._run_one_epoch(epoch, cross_valid=True)
            self.cv_loss[epoch] = val_loss
            self.tr_loss[epoch] = tr_avg_loss
            torch.save(self.model.state_dict(), os.path.join(self.save_folder, f"epoch{epoch + 1}.pth"))

    def _run_one_epoch(self, epoch, cross_valid=False):
        start = time.time()
        total_loss = 0
        data_loader = self.tr_loader if not cross_valid else self.cv_loader
        for i, (feats, feat_len, text, text_len) in enumerate(data_loader):
            feats, text = feats.cuda(), text.cuda()
            logp, out_len = self.model(feats, feat_len)  #! MEM201
            loss = self.ctc(logp.transpose(0, 1), text, out_len, text_len)
            if not cross_valid:
                self.optimizer.zero_grad()
                loss.backward()
                grad_norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
                self.optimizer.step()
            total_loss += loss.item()
            if i % 100 == 0:
                logger.info("Epoch %d | Iter %d | Average Loss %.3f", epoch + 1, i + 1, total_loss / (i + 1))
        return total_loss / (i + 1)
