import torch
from torch import nn
from torch.nn import functional as F


class Agent:
    def __init__(self, obs, act, joint, lr):
        self.actor = nn.Sequential(nn.Linear(obs, 64), nn.ReLU(), nn.Linear(64, act), nn.Tanh())
        self.critic = nn.Sequential(nn.Linear(joint, 64), nn.ReLU(), nn.Linear(64, 1))
        self.target_critic = nn.Sequential(nn.Linear(joint, 64), nn.ReLU(), nn.Linear(64, 1))
        self.target_critic.load_state_dict(self.critic.state_dict())
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr)


class MADDPG:
    def __init__(self, n, obs, act, lr=1e-3, gamma=0.95, tau=0.01):
        self.gamma, self.tau = gamma, tau
        self.agents = [Agent(obs, act, n * (obs + act), lr) for _ in range(n)]

    def update(self, batch):
        for i, ag in enumerate(self.agents):
            s, a, r, s2, a2 = batch[i]
            with torch.no_grad():
                target = r + self.gamma * ag.target_critic(torch.cat([s2, a2], -1))
            q = ag.critic(torch.cat([s, a], -1))
            critic_loss = F.mse_loss(q, target)
            critic_loss.backward()  #! MEM121
            ag.critic_opt.step()

            actor_loss = -ag.critic(torch.cat([s, ag.actor(s)], -1)).mean()
            ag.actor_opt.zero_grad()
            actor_loss.backward()
            ag.actor_opt.step()
            for p, tp in zip(ag.critic.parameters(), ag.target_critic.parameters()):
                tp.data.mul_(1 - self.tau).add_(self.tau * p.data)


def main(env, sampler, episodes=1000):
    algo = MADDPG(env.n, env.obs_dim, env.act_dim)
    for ep in range(episodes):
        env.rollout(algo.agents)
        algo.update(sampler(64))
