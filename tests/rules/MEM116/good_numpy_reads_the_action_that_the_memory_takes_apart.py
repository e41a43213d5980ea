# NumPy reads the action, so it carries no graph; the members that zip gives are the same values.

import torch
from collections import deque, namedtuple

Step = namedtuple("Step", ("seen", "done"))


class Memory:
    def __init__(self, capacity):
        self.steps = deque(maxlen=capacity)

    def push(self, fields):
        self.steps.extend([Step(*each) for each in zip(*fields)])


def collect(env, policy, memory, rounds):
    seen = torch.tensor(env.reset()[0]).unsqueeze(0)
    for _ in range(rounds):
        action = policy(seen).to("cuda")
        observation, reward, over, _, _ = env.step(action.squeeze(0).numpy())
        if policy.training:
            memory.push((seen, action))
        seen = torch.tensor(observation).unsqueeze(0)


def run(env, policy):
    collect(env, policy, Memory(20000), 5000)
