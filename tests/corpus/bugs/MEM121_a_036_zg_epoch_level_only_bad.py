import numpy as np
import torch
from torch import nn, optim


class CPC(nn.Module):
    def __init__(self, c_in=1, hid=256):
        super().__init__()
        self.enc = nn.Conv1d(c_in, hid, 10, 5)
        self.gru = nn.GRU(hid, hid, batch_first=True)
        self.w = nn.Linear(hid, hid)

    def forward(self, x):
        z = self.enc(x).transpose(1, 2)
        c, _ = self.gru(z[:, :-1])
        pred = self.w(c[:, -1])
        logits = pred @ z[:, -1].t()
        return nn.functional.cross_entropy(logits, torch.arange(len(x), device=x.device))


def run(model, train_loader, n_epochs, device):
    optimizer = optim.Adam(model.parameters(), lr=2e-4)
    for epoch in range(1, n_epochs + 1):
        model.train()
        optimizer.zero_grad()
        losses = []
        for batch_idx, wav in enumerate(train_loader):
            wav = wav.float().unsqueeze(1).to(device)
            loss = model(wav)
            loss.backward()  #! MEM121
            optimizer.step()
            losses.append(loss.item())
        print('Epoch {} loss {:.4f}'.format(epoch, np.mean(losses)))
