import random
from collections import deque


class ReplayMemory:
    def __init__(self, n):
        self.d = deque(maxlen=n)

    def sample(self, n):
        return random.sample(self.d, n)
