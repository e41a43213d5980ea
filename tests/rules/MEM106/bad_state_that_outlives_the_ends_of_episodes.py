"""The backward waits for the end of an episode, but the state goes on into the next one."""

import torch
from nets import Actor


def train(env, steps):
    net = Actor().cuda()
    optimizer = torch.optim.Adam(net.parameters())
    hidden, state, done = torch.zeros(1, 256).cuda(), env.reset(), False
    for step in range(steps):
        x = torch.tensor(state).cuda()
        value, hidden = net(x, hidden)  #! MEM106 warning
        state, reward, done = env.step(value.argmax().item())
        if done:
            loss = ((value.max() - reward) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            state = env.reset()
