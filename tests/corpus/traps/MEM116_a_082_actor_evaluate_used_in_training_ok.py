import torch
from torch import nn


class ActorCritic(nn.Module):
    def __init__(self, s, a):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(s, 64), nn.Tanh(), nn.Linear(64, a), nn.Softmax(-1))
        self.critic = nn.Sequential(nn.Linear(s, 64), nn.Tanh(), nn.Linear(64, 1))

    def act(self, state):
        dist = torch.distributions.Categorical(self.actor(state))
        a = dist.sample()
        return a.detach(), dist.log_prob(a).detach()

    def evaluate(self, state, action):
        dist = torch.distributions.Categorical(self.actor(state))
        return dist.log_prob(action), self.critic(state), dist.entropy()


def update(policy, old_states, old_actions, old_logp, returns, opt, K=80):
    for _ in range(K):
        logp, values, ent = policy.evaluate(old_states, old_actions)
        ratios = torch.exp(logp - old_logp.detach())
        adv = returns - values.detach().squeeze()
        loss = -torch.min(ratios * adv, ratios.clamp(0.8, 1.2) * adv) - 0.01 * ent
        loss = loss + 0.5 * nn.functional.mse_loss(values.squeeze(), returns)
        opt.zero_grad()
        loss.mean().backward()
        opt.step()
