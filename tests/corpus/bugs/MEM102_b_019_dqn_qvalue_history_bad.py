import math
import random
from collections import namedtuple

import torch
import torch.nn as nn
import torch.optim as optim

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward", "done"))


class ReplayMemory(object):
    def __init__(self, capacity):
        self.capacity, self.memory, self.position = capacity, [], 0

    def push(self, *args):
        if len(self.memory) < self.capacity:
            self.memory.append(None)
        self.memory[self.position] = Transition(*args)
        self.position = (self.position + 1) % self.capacity

    def sample(self, k):
        return Transition(*zip(*random.sample(self.memory, k)))


policy_net = nn.Sequential(nn.Linear(4, 128), nn.ReLU(), nn.Linear(128, 2))
target_net = nn.Sequential(nn.Linear(4, 128), nn.ReLU(), nn.Linear(128, 2))
target_net.load_state_dict(policy_net.state_dict())
optimizer = optim.AdamW(policy_net.parameters(), lr=1e-4, amsgrad=True)
memory = ReplayMemory(10000)
steps_done = 0
max_q = []


def select_action(state):
    global steps_done
    eps = 0.05 + 0.85 * math.exp(-steps_done / 1000)
    steps_done += 1
    if random.random() > eps:
        q = policy_net(state)
        max_q.append(q.max())  #! MEM102
        return q.argmax(1).view(1, 1)
    return torch.tensor([[random.randrange(2)]])


def optimize_model(bs=128, gamma=0.99):
    if len(memory.memory) < bs:
        return
    b = memory.sample(bs)
    s, a, s2 = torch.cat(b.state), torch.cat(b.action), torch.cat(b.next_state)
    r, d = torch.tensor(b.reward), torch.tensor(b.done).float()
    with torch.no_grad():
        y = r + gamma * (1 - d) * target_net(s2).max(1).values
    loss = nn.SmoothL1Loss()(policy_net(s).gather(1, a).squeeze(1), y)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(policy_net.parameters(), 100)
    optimizer.step()


def main(env, episodes):
    for ep in range(episodes):
        state, done = torch.tensor(env.reset()[0]).unsqueeze(0), False
        while not done:
            action = select_action(state)
            obs, reward, term, trunc, _ = env.step(action.item())
            done = term or trunc
            nxt = torch.tensor(obs).unsqueeze(0)
            memory.push(state, action, nxt, float(reward), done)
            state = nxt
            optimize_model()
        print(ep, float(sum(max_q) / max(1, len(max_q))))
