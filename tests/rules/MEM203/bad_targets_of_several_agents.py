# critics judge what the actors of all agents would do next, joined and in lists

import torch
import torch.nn.functional as F


class MADDPG:
    def __init__(self, n, make_actor, make_critic):
        self.actors = [make_actor().cuda() for _ in range(n)]
        self.critics = [make_critic().cuda() for _ in range(n)]
        self.actors_target = [make_actor().cuda() for _ in range(n)]
        self.critics_target = [make_critic().cuda() for _ in range(n)]
        self.critic_opt = [torch.optim.Adam(c.parameters(), 1e-3) for c in self.critics]
        self.n = n

    def update(self, memory, gamma=0.95):
        for i in range(self.n):
            state, action, reward, next_state = memory.sample(256)
            next_action = torch.cat([self.actors_target[j](next_state[:, j]) for j in range(self.n)], 1)
            both = torch.cat([next_state, next_action], 1)
            later = self.critics_target[i](both)  #! MEM203
            target_q = reward[:, i] + gamma * later.squeeze(1)
            q = self.critics[i](torch.cat([state, action], 1)).squeeze(1)
            loss = F.mse_loss(q, target_q.detach())
            self.critic_opt[i].zero_grad()
            loss.backward()
            self.critic_opt[i].step()


class Team:
    def __init__(self, make, n):
        self.policies = [make() for _ in range(n)]
        self.target_policies = [make() for _ in range(n)]
        self.critic = make()
        self.critic_target = make()
        self.optimizer = torch.optim.Adam(self.critic.parameters())

    def learn(self, memory, gamma):
        for _ in range(100):
            s, a, r, n = memory.sample(64)
            later = [pi(n[:, i]) for i, pi in enumerate(self.target_policies)]
            n = torch.cat([n, torch.cat(later, 1)], 1)
            next_value = self.critic_target(n).detach()  #! MEM203
            wanted = r + gamma * next_value
            loss = F.mse_loss(self.critic(torch.cat([s, a], 1)), wanted)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
