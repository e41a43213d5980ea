# stacks of frames on the GPU, in a closure

from collections import deque

import torch


def collect(env, network, capacity, steps):
    replay = deque(maxlen=capacity)

    def keep(frames, action, reward):
        replay.append((frames, action, reward))  #! MEM116 warning

    frames = torch.tensor(env.reset(), device="cuda")
    for _ in range(steps):
        with torch.no_grad():
            action = network(frames.unsqueeze(0)).argmax(1).item()
        image, reward, done, _ = env.step(action)
        keep(frames, action, reward)
        frames = torch.tensor(image, device="cuda")
    return replay
