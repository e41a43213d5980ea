import torch
from torch.distributions import Categorical


class Reinforce:
    """Policy gradient with a moving baseline that a critic predicts."""

    def __init__(self, policy, critic, lr=1e-3, beta=0.95):
        self.policy, self.critic = policy, critic
        self.baseline = 0.0
        self.beta = beta
        self.opt = torch.optim.Adam(list(policy.parameters()) + list(critic.parameters()), lr=lr)

    def update(self, states, rewards):
        dist = Categorical(logits=self.policy(states))
        action = dist.sample()
        value = self.critic(states).squeeze(-1)
        self.baseline = self.beta * self.baseline + (1 - self.beta) * value.mean()  #! MEM101
        advantage = rewards[action] - value.detach()
        loss = -(dist.log_prob(action) * advantage).mean() + (value - rewards.max()).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def run(policy, critic, batches):
    agent = Reinforce(policy, critic)
    for states, rewards in batches:
        print(agent.update(states, rewards), float(agent.baseline))
