import copy

import torch
import torch.nn.functional as F
from torch import nn


class TD3:
    def __init__(self, s, a):
        self.actor = nn.Sequential(nn.Linear(s, 64), nn.ReLU(), nn.Linear(64, a), nn.Tanh())
        self.actor_target = copy.deepcopy(self.actor)
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=3e-4)
        self.critic = nn.Sequential(nn.Linear(s + a, 64), nn.ReLU(), nn.Linear(64, 1))
        self.critic_target = copy.deepcopy(self.critic)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=3e-4)
        self.total_it = 0

    def train(self, replay, batch_size=256, policy_freq=2):
        self.total_it += 1
        state, action, next_state, reward, not_done = replay.sample(batch_size)
        with torch.no_grad():
            target_q = self.critic_target(torch.cat([next_state, self.actor_target(next_state)], 1))
            target_q = reward + not_done * 0.99 * target_q
        critic_loss = F.mse_loss(self.critic(torch.cat([state, action], 1)), target_q)
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()
        if self.total_it % policy_freq == 0:
            actor_loss = -self.critic(torch.cat([state, self.actor(state)], 1)).mean()
            self.actor_optimizer.zero_grad()
            actor_loss.backward()
            self.actor_optimizer.step()
            for p, tp in zip(self.critic.parameters(), self.critic_target.parameters()):
                tp.data.copy_(0.005 * p.data + 0.995 * tp.data)


def main(env, replay):
    agent = TD3(17, 6)
    for t in range(1000):
        agent.train(replay)
