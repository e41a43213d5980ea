import torch
import torch.nn as nn


class Recognizer:
    def __init__(self, net, lr, max_norm=400):
        self.net = net.cuda()
        self.ctc = nn.CTCLoss(reduction="sum")
        self.opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9, nesterov=True)
        self.max_norm = max_norm
        self.bad = 0

    def check_loss(self, loss):
        return not (loss == float("inf") or loss != loss or loss < 0)

    def epoch(self, loader):
        avg_loss = 0
        for i, (x, y, xl, yl) in enumerate(loader):
            try:
                out = self.net(x.cuda())
                loss = self.ctc(out.transpose(0, 1), y, xl, yl) / x.size(0)
            except RuntimeError as e:
                print("skipped", i, e)
                continue
            if self.check_loss(loss.item()):
                self.opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)
                self.opt.step()
            else:
                self.bad += 1
                loss = loss * 0
            avg_loss += loss  #! MEM101
            if i % 20 == 0:
                print(i, float(avg_loss) / (i + 1))
        return float(avg_loss) / len(loader)

    def fit(self, loader, epochs):
        for e in range(epochs):
            print("epoch", e, self.epoch(loader), "bad", self.bad)
            for g in self.opt.param_groups:
                g["lr"] /= 1.1
            torch.save(self.net.state_dict(), f"ds_{e}.pt")
