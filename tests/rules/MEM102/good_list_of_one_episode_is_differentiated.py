# the list of an episode is emptied after the step, by any of the usual ways

import torch
from torch.distributions import Categorical


def episodes(env, net):
    optimizer = torch.optim.Adam(net.parameters())
    saved, rewards = [], []
    for episode in range(1000):
        obs, done = env.reset(), False
        while not done:
            chosen = Categorical(logits=net(torch.from_numpy(obs).float()))
            action = chosen.sample()
            saved.append(chosen.log_prob(action))
            obs, reward, done, _ = env.step(action.item())
            rewards.append(reward)
        loss = -sum(p * r for p, r in zip(saved, rewards))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        del saved[:], rewards[:]


def windows(loader, net, optimizer, criterion):
    losses = []
    for x, y in loader:
        losses.append(criterion(net(x.cuda()), y.cuda()))
        if len(losses) == 4:
            optimizer.zero_grad()
            torch.stack(losses).mean().backward()
            optimizer.step()
            losses = []


def rolled(loader, net, optimizer, criterion, update):
    losses = []
    for x, y in loader:
        losses.append(criterion(net(x.cuda()), y.cuda()))
        update(optimizer, losses)
