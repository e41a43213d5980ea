import torch
import torch.nn as nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.body = nn.Linear(n_in, 128)
        self.pi = nn.Linear(128, n_out)
        self.v = nn.Linear(128, 1)

    def forward(self, x):
        h = torch.relu(self.body(x))
        return Categorical(logits=self.pi(h)), self.v(h)


class A2C:
    def __init__(self, env, gamma=0.99):
        self.env, self.gamma = env, gamma
        self.net = Policy(env.n_in, env.n_out)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=7e-4)
        self.value_trace = []
        self.entropy_sum = 0

    def run_episode(self):
        obs, done = self.env.reset(), False
        logps, values, rewards, entropies = [], [], [], []
        while not done:
            dist, v = self.net(torch.as_tensor(obs).float())
            a = dist.sample()
            obs, r, done = self.env.step(a.item())
            logps.append(dist.log_prob(a))
            values.append(v.squeeze())
            entropies.append(dist.entropy())
            rewards.append(r)
        return logps, values, rewards, entropies

    def learn(self, episodes):
        for ep in range(episodes):
            logps, values, rewards, ents = self.run_episode()
            R, returns = 0.0, []
            for r in reversed(rewards):
                R = r + self.gamma * R
                returns.insert(0, R)
            returns = torch.tensor(returns)
            values = torch.stack(values)
            adv = returns - values
            entropy = torch.stack(ents).mean()
            loss = -(torch.stack(logps) * adv.detach()).mean() + 0.5 * adv.pow(2).mean() - 0.01 * entropy
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.value_trace.append(values.detach())
            self.entropy_sum += entropy.item()
            if ep % 50 == 0:
                print(ep, sum(rewards), float(self.entropy_sum) / (ep + 1))
