import torch
import torch.nn as nn

from optim_utils import GradAccumulator

model = nn.LSTM(80, 320, 4, batch_first=True)
out = nn.Linear(320, 50)
params = [*model.parameters(), *out.parameters()]
acc = GradAccumulator(torch.optim.Adadelta(params), 8)
ctc = nn.CTCLoss()
for feats, flen, tok, tlen in torch.utils.data.DataLoader(torch.load("libri.pt"), 8):
    h, _ = model(feats)
    loss = ctc(out(h).log_softmax(-1).transpose(0, 1), tok, flen, tlen)
    acc.step(loss)  #= MEM124
