# own buffer class, filled in a function that main calls

import torch


class Replay:
    def __init__(self):
        self.items = []

    def push(self, *transition):
        self.items.append(transition)


def explore(env, actor, buffer, steps):
    obs = env.reset()
    for _ in range(steps):
        action = actor(torch.tensor(obs, dtype=torch.float32))
        obs2, reward, done, info = env.step(action.detach().numpy())
        buffer.push(obs, action, reward, obs2, done)  #! MEM116 error
        obs = obs2


def main(env):
    actor = torch.nn.Linear(3, 1)
    explore(env, actor, Replay(), 10_000)
