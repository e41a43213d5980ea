# The gradient passes through the critic's target to the actor that is trained.

import torch
from torch import nn, optim


class Agent:
    def __init__(self, actor, critic, critic_target):
        self.actor, self.critic, self.critic_target = actor, critic, critic_target
        self.actor_optimizer = optim.Adam(self.actor.parameters(), lr=1e-4)
        self.critic_optimizer = optim.Adam(self.critic.parameters(), lr=1e-3)

    def learn(self, states, actions, rewards, next_states):
        with torch.no_grad():
            targets = rewards + 0.99 * self.critic_target(next_states, self.actor(next_states))
        loss = nn.functional.mse_loss(self.critic(states, actions), targets)
        self.critic_optimizer.zero_grad()
        loss.backward()
        self.critic_optimizer.step()
        proposed = self.actor(states)
        value = rewards + 0.99 * self.critic_target(states, proposed)
        self.actor_optimizer.zero_grad()
        (-value.mean()).backward()
        self.actor_optimizer.step()


def train(agent, loader):
    for states, actions, rewards, next_states in loader:
        agent.learn(states, actions, rewards, next_states)
