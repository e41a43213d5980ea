# log-softmax and negative log-likelihood, sigmoid and binary cross-entropy

import torch
import torch.nn.functional as F
from torch import nn

tagger = nn.Linear(20, 5000)
gate = nn.Linear(20, 4000)
opt = torch.optim.Adam([*tagger.parameters(), *gate.parameters()])
for _ in range(10):
    x = torch.randn(16, 20)
    y = torch.randint(0, 5000, (16,))
    scores = tagger(x)
    loss = F.nll_loss(F.log_softmax(scores, dim=-1), y)  #! MEM112 advice
    opt.zero_grad()
    loss.backward()
    opt.step()
for _ in range(10):
    x = torch.randn(16, 20)
    raw = gate(x)
    loss = F.binary_cross_entropy(torch.sigmoid(raw), torch.ones(16, 4000))  #! MEM112 advice
    opt.zero_grad()
    loss.backward()
    opt.step()
