# the buffer is handed to code that cannot be seen, which may differentiate through it

import torch
from learner import improve


def play(env, policy, steps):
    trajectory = []
    obs = env.reset()
    for _ in range(steps):
        logits = policy(torch.as_tensor(obs))
        trajectory.append((obs, logits))
        obs, _, done, _ = env.step(logits.argmax().item())
    improve(policy, trajectory)
