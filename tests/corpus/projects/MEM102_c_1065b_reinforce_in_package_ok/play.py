import gymnasium as gym
import torch

from rl.policy import Policy
from rl.update import finish

env, policy = gym.make("CartPole-v1"), Policy()
opt = torch.optim.Adam(policy.parameters(), 1e-2)
history = []
for ep in range(500):
    s, _ = env.reset()
    done = False
    while not done:
        s, r, term, trunc, _ = env.step(policy.act(torch.from_numpy(s)))
        policy.rewards.append(r)
        done = term or trunc
    history.append(finish(policy, opt))
