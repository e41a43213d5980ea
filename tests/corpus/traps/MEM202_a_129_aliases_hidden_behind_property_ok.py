import torch as th
from torch.nn import functional as F


class Agent:
    def __init__(self, policy):
        self.policy = policy
        self.policy.optimizer = th.optim.Adam(policy.parameters(), 3e-4)
        self.actor = policy.actor
        self.critic = policy.critic
        self.actor.optimizer = th.optim.Adam(self.actor.parameters(), 3e-4)
        self.critic.optimizer = th.optim.Adam(self.critic.parameters(), 3e-4)

    def train(self, buffer, steps):
        actor_losses, critic_losses = [], []
        for i in range(steps):
            data = buffer.sample(256)
            with th.no_grad():
                q_next = th.cat(self.critic(data.next_obs, self.actor(data.next_obs)), 1).min(1).values
                target = data.reward + 0.99 * q_next
            critic_loss = sum(F.mse_loss(q, target) for q in self.critic(data.obs, data.action))
            critic_losses.append(critic_loss.item())
            self.critic.optimizer.zero_grad()
            critic_loss.backward()
            self.critic.optimizer.step()
            if i % 2 == 0:
                actor_loss = -self.critic(data.obs, self.actor(data.obs))[0].mean()
                actor_losses.append(actor_loss.item())
                self.actor.optimizer.zero_grad()
                actor_loss.backward()
                self.actor.optimizer.step()
        return sum(actor_losses), sum(critic_losses)
