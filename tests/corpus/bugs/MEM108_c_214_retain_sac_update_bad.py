import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 256), nn.ReLU(), nn.Linear(256, o))


class SAC:
    def __init__(self, s_dim, a_dim, device):
        self.device = device
        self.policy = mlp(s_dim, a_dim).to(device)
        self.critic, self.target = mlp(s_dim + a_dim, 1).to(device), mlp(s_dim + a_dim, 1).to(device)
        self.policy_opt = torch.optim.Adam(self.policy.parameters(), 3e-4)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), 3e-4)

    def train_step(self, buffer, batch_size):
        state, action, reward, nxt, mask = buffer.sample(batch_size)
        state = torch.FloatTensor(state).to(self.device)
        action = torch.FloatTensor(action).to(self.device)
        nxt = torch.FloatTensor(nxt).to(self.device)
        reward = torch.FloatTensor(reward).to(self.device).unsqueeze(1)
        mask = torch.FloatTensor(np.float32(mask)).to(self.device).unsqueeze(1)
        with torch.no_grad():
            goal = reward + mask * 0.99 * self.target(torch.cat([nxt, torch.tanh(self.policy(nxt))], 1))
        q_loss = F.mse_loss(self.critic(torch.cat([state, action], 1)), goal)
        self.critic_opt.zero_grad()
        q_loss.backward(retain_graph=True)  #! MEM108
        self.critic_opt.step()
        pi_loss = -self.critic(torch.cat([state, torch.tanh(self.policy(state))], 1)).mean()
        self.policy_opt.zero_grad()
        pi_loss.backward()
        self.policy_opt.step()
        return q_loss.item(), pi_loss.item()


def run(env, agent, buffer, episodes):
    for ep in range(episodes):
        obs = env.reset()
        for t in range(500):
            obs, rew, done, _ = env.step(env.action_space.sample())
            if len(buffer) > 256:
                agent.train_step(buffer, 256)
