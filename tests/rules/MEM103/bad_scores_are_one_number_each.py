# a score, a reward or a confidence is a number for each sample, whatever network gives it; what a list of this name gathers may be more

import torch


@torch.no_grad()
def calibrate(discriminator, loader):
    scores = []
    for batch in loader:
        score = discriminator(batch.cuda())["data"]
        scores.append(score)  #! MEM103 advice
    return torch.cat(scores).cpu()


@torch.no_grad()
def judge(model, loader):
    rewards = []
    for batch in loader:
        reward = model(batch.cuda())
        rewards.append(reward.detach())  #! MEM103 advice
    return torch.cat(rewards).cpu()


@torch.no_grad()
def look(net, loader):
    scores = []
    for batch in loader:
        scores.append(torch.softmax(net(batch.cuda()), 1))  #! MEM103 warning
    return torch.cat(scores).cpu()
