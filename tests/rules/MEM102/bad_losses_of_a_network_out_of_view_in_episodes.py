"""A method of a network computes the loss from what the environment gave: the backward shows its graph."""

import torch
from nets import ActorCritic


def train(env, episodes):
    net = ActorCritic().cuda()
    optimizer = torch.optim.Adam(net.parameters())
    losses, lengths = [], []
    for episode in range(episodes):
        state, done, rewards, values = env.reset(), False, [], []
        while not done:
            action, value = net(torch.tensor(state).cuda())
            state, reward, done, _ = env.step(action)
            rewards.append(reward)
            values.append(value)
            if done:
                loss = net.cost(state, done, rewards, values)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                losses.append(loss)  #! MEM102 warning
                lengths.append(len(rewards))
    return losses, lengths
