"""Two nets, two forwards, two losses: nothing shared, yet the graph of the critic is retained."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Agent:
    def __init__(self, obs, act):
        self.actor = nn.Sequential(nn.Linear(obs, 32), nn.Tanh(), nn.Linear(32, act), nn.Tanh())
        self.critic = nn.Sequential(nn.Linear(obs + act, 32), nn.ReLU(), nn.Linear(32, 1))
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), 1e-4)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), 1e-3)

    def learn(self, s, a, r, s2):
        with torch.no_grad():
            target = r + 0.99 * self.critic(torch.cat([s2, self.actor(s2)], 1))
        q = self.critic(torch.cat([s, a], 1))
        critic_loss = F.mse_loss(q, target)
        self.critic_opt.zero_grad()
        critic_loss.backward(retain_graph=True)  #! MEM108
        self.critic_opt.step()

        actor_loss = -self.critic(torch.cat([s, self.actor(s)], 1)).mean()
        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()
        return critic_loss.item(), actor_loss.item()


torch.manual_seed(0)
agent = Agent(4, 2)
for _ in range(5):
    print(agent.learn(torch.randn(16, 4), torch.randn(16, 2), torch.randn(16, 1), torch.randn(16, 4)))
