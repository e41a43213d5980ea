# log probabilities of one episode: the list is emptied after the update

import gym
import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        return torch.softmax(self.fc(x), dim=-1)


class Reinforce:
    def __init__(self):
        self.policy = Policy()
        self.optimizer = optim.Adam(self.policy.parameters())

    def select_action(self, state):
        probs = self.policy(torch.from_numpy(state).float().unsqueeze(0))
        m = Categorical(probs)
        action = m.sample()
        self.policy.saved_log_probs.append(m.log_prob(action))
        return action.item()

    def finish_episode(self, rewards):
        loss = []
        for lp, r in zip(self.policy.saved_log_probs, rewards):
            loss.append(-lp * r)
        self.optimizer.zero_grad()
        torch.cat(loss).sum().backward(retain_graph=True)
        self.optimizer.step()
        del self.policy.saved_log_probs[:]


def main():
    env = gym.make("CartPole-v1")
    agent = Reinforce()
    for ep in range(1000):
        state = env.reset()
        rewards = []
        for t in range(500):
            a = agent.select_action(state)
            state, r, done, _ = env.step(a)
            rewards.append(r)
            if done:
                break
        agent.finish_episode(rewards)


main()
