import editdistance
import torch
import torch.nn as nn


class DeepSpeech(nn.Module):
    def __init__(self, feats, hidden, vocab):
        super().__init__()
        self.rnn = nn.GRU(feats, hidden, 3, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(2 * hidden, vocab)

    def forward(self, x):
        return self.fc(self.rnn(x)[0]).log_softmax(-1)


class ASRSolver:
    def __init__(self, model, vocab, lr):
        self.model = model.cuda()
        self.ctc = nn.CTCLoss(blank=0, zero_infinity=True)
        self.optim = torch.optim.Adadelta(self.model.parameters(), lr=lr)
        self.vocab = vocab
        self.step = 0

    def greedy(self, lp):
        out = []
        for seq in lp.argmax(-1).tolist():
            prev, s = 0, []
            for c in seq:
                if c != prev and c != 0:
                    s.append(self.vocab[c])
                prev = c
            out.append("".join(s))
        return out

    def valid(self, loader):
        self.model.eval()
        val_loss, cer, n = [], 0., 0
        for feat, flen, txt, tlen in loader:
            with torch.no_grad():
                lp = self.model(feat.cuda())
                val_loss.append(self.ctc(lp.transpose(0, 1), txt, flen, tlen))
            for hyp, ref in zip(self.greedy(lp), txt):
                cer += editdistance.eval(hyp, "".join(self.vocab[c] for c in ref.tolist()))
            n += int(tlen.sum())
        self.model.train()
        return sum(val_loss) / len(val_loss), cer / n

    def exec(self, tr, dv, max_step):
        total = 0
        while self.step < max_step:
            for feat, flen, txt, tlen in tr:
                self.optim.zero_grad()
                loss = self.ctc(self.model(feat.cuda()).transpose(0, 1), txt, flen, tlen)
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
                self.optim.step()
                self.step += 1
                total += loss.detach().cpu()
            print(self.step, float(total) / self.step, self.valid(dv))
