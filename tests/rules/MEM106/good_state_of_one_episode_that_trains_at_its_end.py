"""The state begins with the episode and goes through all of its steps; the backward runs when it is over."""

import torch


def train(net, env, optimizer, episodes):
    for episode in range(episodes):
        state, done = env.reset(), False
        hidden = torch.zeros(1, 256).cuda()
        rewards, values = [], []
        while not done:
            action, value, hidden = net(torch.tensor(state).cuda(), hidden)
            state, reward, done, truncated = env.step(action)
            rewards.append(reward)
            values.append(value)
            if done or truncated:
                loss = ((torch.stack(values) - sum(rewards)) ** 2).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
