# a column of scores may be a small matter: advice; the first token of hidden states is not

import torch


@torch.no_grad()
def judge(model, loader):
    good, firsts = [], []
    for pairs in loader:
        scores = model(pairs)
        good.append(scores[:, 1:3])  #! MEM104 advice
        hidden = model.encoder(pairs)
        firsts.append(hidden[:, 0])  #! MEM104 warning
    return torch.cat(good), torch.cat(firsts)
