# the scores that chose the action are still there, with their graph, when the update runs

import gym
import torch
from torch import nn

from memory import Replay

env = gym.make("CartPole-v1")
q = nn.Sequential(nn.Linear(4, 512), nn.ReLU(), nn.Linear(512, 2))
opt = torch.optim.Adam(q.parameters())
replay = Replay(50_000)
state = env.reset()
for t in range(100_000):
    scores = q(torch.as_tensor(state).unsqueeze(0))  #! MEM201 warning
    action = scores.argmax(1).item()
    after, reward, done, _ = env.step(action)
    replay.push(state, action, reward, after)
    state = env.reset() if done else after
    s, a, r, n = replay.sample(64)
    with torch.no_grad():
        goal = r + 0.99 * q(n).amax(1)
    loss = nn.functional.smooth_l1_loss(q(s).gather(1, a).squeeze(1), goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
