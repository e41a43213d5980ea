# value estimates in a deque, flat script

from collections import deque
import random

import gymnasium as gym
import torch

env = gym.make("CartPole-v1")
critic = torch.nn.Sequential(torch.nn.Linear(4, 64), torch.nn.ReLU(), torch.nn.Linear(64, 2))
opt = torch.optim.Adam(critic.parameters())
memory = deque(maxlen=50_000)
obs, _ = env.reset()
for step in range(100_000):
    state = torch.as_tensor(obs, dtype=torch.float32)
    q = critic(state)
    nxt, reward, done, _, _ = env.step(int(q.argmax()))
    memory.append((state, q, reward, done))  #! MEM116 error
    obs = env.reset()[0] if done else nxt
    if len(memory) > 64:
        batch = random.sample(memory, 64)
        states = torch.stack([b[0] for b in batch])
        loss = (critic(states).max(1).values - torch.tensor([float(b[2]) for b in batch])).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
