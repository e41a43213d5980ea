import torch
from torch import nn


class StatefulAgent:
    """Keeps its recurrent state between calls; the buffer is cut after each update and reset on done."""

    def __init__(self, obs_dim, n_act):
        self.core = nn.LSTMCell(obs_dim, 32)
        self.pi = nn.Linear(32, n_act)
        self.v = nn.Linear(32, 1)
        params = [*self.core.parameters(), *self.pi.parameters(), *self.v.parameters()]
        self.opt = torch.optim.RMSprop(params, lr=7e-4)
        self.state = None
        self.memory = []

    def act(self, obs, mask):
        if self.state is None:
            self.state = (obs.new_zeros(len(obs), 32), obs.new_zeros(len(obs), 32))
        self.state = tuple(s * mask for s in self.state)
        self.state = self.core(obs, self.state)
        dist = torch.distributions.Categorical(logits=self.pi(self.state[0]))
        action = dist.sample()
        self.memory.append((dist.log_prob(action), self.v(self.state[0]).squeeze(-1)))
        return action

    def update(self, returns):
        loss = 0
        for (logp, value), ret in zip(self.memory, returns):
            adv = ret - value
            loss = loss - (logp * adv.detach()).mean() + adv.pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.memory.clear()
        self.state = tuple(s.detach() for s in self.state)


def run(envs, agent, updates):
    obs, mask = envs.reset(), torch.ones(8, 1)
    for _ in range(updates):
        rewards = []
        for _ in range(5):
            obs, reward, done = envs.step(agent.act(obs, mask))
            mask = 1.0 - done.float().unsqueeze(1)
            rewards.append(reward)
        agent.update(torch.stack(rewards).flip(0).cumsum(0).flip(0))
