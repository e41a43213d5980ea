# the last few steps only

from collections import deque

import torch


def play(env, policy, steps):
    recent = deque(maxlen=4)
    obs = env.reset()
    for _ in range(steps):
        logits = policy(torch.as_tensor(obs))
        recent.append(logits)
        obs, _, done, _ = env.step(logits.argmax().item())
    return recent[-1].argmax().item()
