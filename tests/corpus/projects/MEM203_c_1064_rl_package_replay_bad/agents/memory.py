import random


class ReplayMemory:
    def __init__(self, capacity):
        self.capacity, self.memory, self.position = capacity, [], 0

    def push(self, *args):
        if len(self.memory) < self.capacity:
            self.memory.append(None)
        self.memory[self.position] = args  #= MEM116
        self.position = (self.position + 1) % self.capacity

    def sample(self, n):
        return zip(*random.sample(self.memory, n))

    def __len__(self):
        return len(self.memory)
