# whichever branch made it, its parameters are in the groups of the optimizer

import torch


def main(wide):
    net = torch.nn.Linear(8, 64) if wide else torch.nn.Linear(8, 8)
    if wide:
        head = torch.nn.Linear(64, 1)
    else:
        head = torch.nn.Linear(8, 1)
    decay = [p for n, p in head.named_parameters() if "bias" not in n]
    rest = [p for n, p in head.named_parameters() if "bias" in n]
    opt = torch.optim.AdamW([{"params": decay}, {"params": rest, "weight_decay": 0.0}, {"params": net.parameters()}])
    for x in torch.load("x.pt"):
        loss = head(net(x)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
