# REINFORCE back-propagates through the stored log-probabilities and clears them

import torch
from torch.distributions import Categorical


def run(env, policy, opt, episodes):
    for episode in range(episodes):
        log_probs, rewards = [], []
        obs, done = env.reset(), False
        while not done:
            dist = Categorical(logits=policy(torch.as_tensor(obs)))
            action = dist.sample()
            log_probs.append(dist.log_prob(action))
            obs, reward, done, _ = env.step(action.item())
            rewards.append(reward)
        loss = -(torch.stack(log_probs) * sum(rewards)).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
