# named log-probabilities: log_softmax saves what it returns; the name adds nothing

import torch
import torch.nn.functional as F

net = torch.nn.Linear(16, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(5):
    log_probs = F.log_softmax(net(torch.randn(4, 16)), dim=1)
    loss = F.nll_loss(log_probs, torch.randint(0, 8, (4,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
