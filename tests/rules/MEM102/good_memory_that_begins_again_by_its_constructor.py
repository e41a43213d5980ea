# a retaining update of one episode: the list, or its object, is made again before the next

import torch
import torch.nn.functional as F


class Memory:
    def __init__(self):
        self.values = []
        self.rewards = []

    def wipe(self):
        self.__init__()


class Agent:
    def __init__(self, net, opt):
        self.net, self.opt, self.mem = net, opt, Memory()

    def act(self, s):
        v, p = self.net(s)
        self.mem.values.append(v)
        return p.argmax().item()

    def learn(self):
        v = torch.stack(self.mem.values)
        r = torch.tensor(self.mem.rewards)
        loss = F.mse_loss(v, r)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()


def main(env, agent):
    for ep in range(100):
        s = env.reset()
        done = False
        while not done:
            a = agent.act(s)
            s, r, done, _ = env.step(a)
            agent.mem.rewards.append(r)
        agent.learn()
        agent.mem.wipe()
