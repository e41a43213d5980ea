# each episode adds to the list, and its backward reads the last entries, or wrongly the first: nothing empties it

import torch
from torch.distributions import Categorical


def last_ones(env, net):
    optimizer = torch.optim.Adam(net.parameters())
    saved = []
    for episode in range(1000):
        obs, done, rewards = env.reset(), False, []
        while not done:
            chosen = Categorical(logits=net(torch.from_numpy(obs).float()))
            action = chosen.sample()
            saved.append(chosen.log_prob(action))  #! MEM102 warning
            obs, reward, done, _ = env.step(action.item())
            rewards.append(reward)
        loss = 0
        for log_prob, reward in zip(saved[::-1], rewards[::-1]):
            loss = loss - log_prob * reward
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
