# acting under no_grad, arrays and numbers in the buffer

import random
from collections import deque

import torch

memory = deque(maxlen=100_000)


def train(env, net, opt, steps):
    obs = env.reset()
    for step in range(steps):
        with torch.no_grad():
            q = net(torch.as_tensor(obs))
        nxt, reward, done, _ = env.step(q.argmax().item())
        memory.append((obs, q.max().item(), reward, nxt))
        obs = nxt
        batch = random.sample(memory, min(len(memory), 32))
        loss = net(torch.tensor([b[0] for b in batch])).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
