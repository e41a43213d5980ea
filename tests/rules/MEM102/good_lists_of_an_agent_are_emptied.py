# after each episode all that was kept of it is emptied, in another method

import torch
import torch.nn.functional as F
from torch.distributions import Categorical


class Agent:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters())
        self.saved, self.rewards = [], []

    def act(self, obs):
        logits, value = self.net(torch.from_numpy(obs).float())
        chosen = Categorical(logits=logits)
        action = chosen.sample()
        self.saved.append((chosen.log_prob(action), value))
        return action.item()

    def finish(self):
        total, losses = 0, []
        for (log_prob, value), reward in zip(self.saved[::-1], self.rewards[::-1]):
            total = reward + 0.99 * total
            losses.append(F.smooth_l1_loss(value, torch.tensor([total])) - log_prob * (total - value.item()))
        self.optimizer.zero_grad()
        torch.stack(losses).sum().backward()
        self.optimizer.step()
        self.rewards = []
        self.forget()

    def forget(self):
        self.saved.clear()


def main(env, net):
    agent = Agent(net)
    for episode in range(1000):
        obs, done = env.reset(), False
        while not done:
            obs, reward, done, _ = env.step(agent.act(obs))
            agent.rewards.append(reward)
        agent.finish()
