# Both targets may come from the caller; the critic's judges what the actor's does, and no gradient is meant to pass.

import torch
from torch import nn, optim


class Agent:
    def __init__(self, actor, critic, actor_target=None, critic_target=None, critic_optimizer=None):
        self.actor, self.critic = actor, critic
        self.actor_target = actor_target if actor_target else make_actor()
        self.critic_target = critic_target if critic_target else make_critic()
        self.critic_optimizer = critic_optimizer or optim.Adam(self.critic.parameters(), lr=1e-3)
        self.actor_optimizer = optim.Adam(self.actor.parameters(), lr=1e-4)

    def step(self, memory):
        if len(memory) > 128:
            self.learn(memory.sample())

    def learn(self, experiences):
        states, actions, rewards, after, dones = experiences
        chosen = self.actor_target(after)
        judged = self.critic_target(after, chosen)  #! MEM203 warning
        targets = rewards + 0.99 * judged * (1 - dones)
        loss = nn.functional.mse_loss(self.critic(states, actions), targets)
        self.critic_optimizer.zero_grad()
        loss.backward()
        self.critic_optimizer.step()
        actor_loss = -self.critic(states, self.actor(states)).mean()
        self.actor_optimizer.zero_grad()
        actor_loss.backward()
        self.actor_optimizer.step()


def train(env, memory, **networks):
    agent = Agent(**networks)
    for _ in range(1000):
        memory.add(env.step(torch.zeros(1, 3)))
        agent.step(memory)
