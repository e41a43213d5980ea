# how many frames are stacked is an option: a handful

from collections import deque

import gymnasium
import torch

env = gymnasium.make("ALE/Pong-v5")


class Stack:
    def __init__(self, frames, device):
        self.device = device
        self.buffer = deque(maxlen=frames)

    def step(self, action):
        image, reward, done, _, _ = env.step(action)
        self.buffer.append(torch.tensor(image, device="cuda"))
        return torch.stack(list(self.buffer)), reward, done


stack = Stack(4, "cuda")
for _ in range(1000):
    stack.step(0)
