import torch
import torch.nn as nn
from torch.autograd import Variable


class Captioner(nn.Module):
    def __init__(self, vocab, emb=256, hid=512):
        super(Captioner, self).__init__()
        self.embed = nn.Embedding(vocab, emb)
        self.lstm = nn.LSTM(emb, hid, batch_first=True)
        self.out = nn.Linear(hid, vocab)

    def forward(self, feats, caps):
        x = torch.cat((feats.unsqueeze(1), self.embed(caps)), 1)
        h, _ = self.lstm(x)
        return self.out(h)


def run(model, train_loader, val_loader, use_cuda=True, epochs=50):
    crit = nn.CrossEntropyLoss(ignore_index=0)
    opt = torch.optim.Adam(model.parameters(), lr=4e-4)
    if use_cuda:
        model.cuda()
    for e in range(epochs):
        model.train()
        tot = 0
        for feats, caps in train_loader:
            feats, caps = Variable(feats), Variable(caps)
            if use_cuda:
                feats, caps = feats.cuda(), caps.cuda()
            opt.zero_grad()
            out = model(feats, caps[:, :-1])
            loss = crit(out.view(-1, out.size(2)), caps.view(-1))
            loss.backward()
            opt.step()
            tot += loss.data[0]  #! MEM902
        model.eval()
        vloss = 0
        for feats, caps in val_loader:
            feats, caps = Variable(feats, volatile=True), Variable(caps, volatile=True)  #! MEM902
            if use_cuda:
                feats, caps = feats.cuda(), caps.cuda()
            out = model(feats, caps[:, :-1])  #! MEM201
            vloss += crit(out.view(-1, out.size(2)), caps.view(-1))  #! MEM101
        print("epoch", e, tot / len(train_loader), float(vloss) / len(val_loader))
