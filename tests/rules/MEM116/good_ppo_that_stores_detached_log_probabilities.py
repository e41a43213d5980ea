# PPO that stores detached log-probabilities

import torch
from torch.distributions import Categorical


def rollout(env, policy, steps):
    buffer = []
    obs = env.reset()
    for _ in range(steps):
        dist = Categorical(logits=policy(torch.as_tensor(obs)))
        action = dist.sample()
        nxt, reward, done, _ = env.step(action.item())
        buffer.append((obs, action, dist.log_prob(action).detach(), reward))
        obs = nxt
    return buffer
