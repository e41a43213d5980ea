# actor-critic with named tuples, back-propagated at the end of an episode

from collections import namedtuple

import torch
from torch.distributions import Categorical

Saved = namedtuple("Saved", ["log_prob", "value"])
body = torch.nn.Linear(4, 16)
actor, critic = torch.nn.Linear(16, 2), torch.nn.Linear(16, 1)
opt = torch.optim.Adam([*body.parameters(), *actor.parameters(), *critic.parameters()])


def play(env, episodes):
    saved, rewards = [], []
    for episode in range(episodes):
        obs = env.reset()
        for t in range(200):
            h = body(torch.as_tensor(obs)).relu()
            dist = Categorical(logits=actor(h))
            action = dist.sample()
            saved.append(Saved(dist.log_prob(action), critic(h)))
            obs, reward, done, _ = env.step(action.item())
            rewards.append(reward)
            if done:
                break
        loss = sum(-s.log_prob * (r - s.value.item()) + (s.value - r).pow(2) for s, r in zip(saved, rewards))
        opt.zero_grad()
        loss.backward()
        opt.step()
        del saved[:]
        del rewards[:]
