import torch
import torch.nn.functional as F


class SAC:
    def __init__(self, actor, critic, critic_target, lr=3e-4, gamma=0.99, tau=0.005, alpha=0.2):
        self.actor, self.critic, self.critic_target = actor, critic, critic_target
        self.actor_optim = torch.optim.Adam(actor.parameters(), lr=lr)
        self.critic_optim = torch.optim.Adam(critic.parameters(), lr=lr)
        self.gamma, self.tau, self.alpha = gamma, tau, alpha

    def update(self, batch):
        s, a, r, s2, d = batch
        with torch.no_grad():
            a2, logp2 = self.actor.sample(s2)
            q1t, q2t = self.critic_target(s2, a2)
            y = r + (1 - d) * self.gamma * (torch.min(q1t, q2t) - self.alpha * logp2)
        q1, q2 = self.critic(s, a)
        qf_loss = F.mse_loss(q1, y) + F.mse_loss(q2, y)
        self.critic_optim.zero_grad()
        qf_loss.backward()
        self.critic_optim.step()

        pi, logp = self.actor.sample(s)
        policy_loss = (self.alpha * logp - torch.min(*self.critic(s, pi))).mean()
        self.actor_optim.zero_grad()
        policy_loss.backward()
        self.actor_optim.step()
        with torch.no_grad():
            for p, tp in zip(self.critic.parameters(), self.critic_target.parameters()):
                tp.mul_(1 - self.tau).add_(self.tau * p)
        return qf_loss.item(), policy_loss.item()


def run(agent, memory, steps):
    for t in range(steps):
        q, p = agent.update(memory.sample(256))
        if t % 1000 == 0:
            print(t, q, p)
