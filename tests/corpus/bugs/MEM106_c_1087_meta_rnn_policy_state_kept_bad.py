import gymnasium as gym
import torch
import torch.nn as nn


class RecurrentQ(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(4, 64)
        self.rnn = nn.LSTM(64, 64)
        self.q = nn.Linear(64, 2)

    def forward(self, o, hc):
        y, hc = self.rnn(torch.relu(self.enc(o)).view(1, 1, -1), hc)
        return self.q(y.view(1, -1)), hc


def train(episodes=500, gamma=0.99):
    env = gym.make("CartPole-v1")
    net = RecurrentQ()
    opt = torch.optim.RMSprop(net.parameters(), 1e-3)
    hc = (torch.zeros(1, 1, 64), torch.zeros(1, 1, 64))
    for ep in range(episodes):
        o, _ = env.reset()
        done = False
        while not done:
            q, hc = net(torch.from_numpy(o).float(), hc)  #! MEM106
            a = int(q.argmax())
            o, r, term, trunc, _ = env.step(a)
            done = term or trunc
            loss = (q[0, a] - r).pow(2)
            opt.zero_grad()  #? MEM122
            loss.backward()
            opt.step()
