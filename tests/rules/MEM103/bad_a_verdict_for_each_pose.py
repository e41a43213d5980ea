# a network that judges gives a number for each sample

import torch


def rank(confidence_model, reward_net, loader):
    first, second = [], []
    with torch.no_grad():
        for batch in loader:
            out = confidence_model(batch.cuda())
            if type(out) is tuple:
                out = out[0]
            first.append(out)  #! MEM103 advice
            second.append(reward_net(batch.cuda()))  #! MEM103 advice
    return torch.cat(first).cpu(), torch.cat(second).cpu()
