# the loss was computed without anything that requires grad: a reward sum

import torch

policy = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)


class Env:
    def reset(self):
        return torch.zeros(4)

    def step(self, action):
        return torch.randn(4), 1.0, False


env = Env()
for episode in range(10):
    obs, episode_reward, log_prob_sum = env.reset(), 0.0, 0.0
    for t in range(20):
        dist = torch.distributions.Categorical(logits=policy(obs))
        action = dist.sample()
        log_prob_sum = log_prob_sum + dist.log_prob(action)
        obs, reward, done = env.step(action)
        episode_reward += reward
    policy_loss = -log_prob_sum * episode_reward
    optimizer.zero_grad()
    policy_loss.backward()
    optimizer.step()
