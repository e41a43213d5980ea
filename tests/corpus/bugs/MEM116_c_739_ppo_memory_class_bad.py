import gymnasium as gym
import torch
from torch import nn
from torch.distributions import Categorical


class Memory:
    def __init__(self):
        self.states, self.actions, self.logprobs, self.rewards = [], [], [], []

    def clear(self):
        for box in (self.states, self.actions, self.logprobs, self.rewards):
            del box[:]


class Agent:
    def __init__(self):
        self.pi = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 2))
        self.opt = torch.optim.Adam(self.pi.parameters(), 3e-4)
        self.memory = Memory()

    def act(self, obs):
        obs = torch.as_tensor(obs, dtype=torch.float32)
        dist = Categorical(logits=self.pi(obs))
        a = dist.sample()
        self.memory.states.append(obs)
        self.memory.actions.append(a)
        self.memory.logprobs.append(dist.log_prob(a))  #! MEM116
        return a.item()

    def learn(self, gamma=0.99):
        ret, returns = 0.0, []
        for r in reversed(self.memory.rewards):
            ret = r + gamma * ret
            returns.insert(0, ret)
        returns = torch.tensor(returns)
        s, a = torch.stack(self.memory.states), torch.stack(self.memory.actions)
        old = torch.stack(self.memory.logprobs).detach()
        for _ in range(4):
            ratio = (Categorical(logits=self.pi(s)).log_prob(a) - old).exp()
            loss = -torch.min(ratio * returns, ratio.clamp(0.8, 1.2) * returns).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        self.memory.clear()


def main():
    env, agent = gym.make("CartPole-v1"), Agent()
    obs, _ = env.reset()
    for t in range(1, 200_001):
        obs, r, done, cut, _ = env.step(agent.act(obs))
        agent.memory.rewards.append(r)
        if done or cut:
            obs, _ = env.reset()
        if t % 2048 == 0:
            agent.learn()


main()
