# Multi-agent runner: the actions of a continuous controller go into the episode batch, that into the buffer.
from collections import deque
from types import SimpleNamespace as SN

import numpy as np
import torch as th
import torch.nn as nn
import torch.nn.functional as F


class Controller(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.fc1 = nn.Linear(args.obs, args.hidden)
        self.rnn = nn.GRUCell(args.hidden, args.hidden)
        self.fc2 = nn.Linear(args.hidden, args.acts)

    def forward(self, obs, hidden):
        h = self.rnn(F.relu(self.fc1(obs)), hidden)
        return th.tanh(self.fc2(h)), h


class EpisodeRunner:
    def __init__(self, args, mac):
        self.args, self.mac = args, mac
        self.t_env = 0

    def run(self):
        batch = []
        obs = np.random.randn(self.args.agents, self.args.obs).astype(np.float32)
        hidden = th.zeros(self.args.agents, self.args.hidden)
        for t in range(self.args.episode_limit):
            actions, hidden = self.mac(th.from_numpy(obs), hidden)
            reward = -float(actions.pow(2).mean())
            batch.append({"obs": obs, "actions": actions, "reward": reward})  #= MEM116 #= MEM102
            obs = obs * 0.9 + 0.1 * np.random.randn(*obs.shape).astype(np.float32)
        self.t_env += self.args.episode_limit
        return batch


def run_sequential(args):
    mac = Controller(args)
    critic = nn.Sequential(nn.Linear(args.obs + args.acts, 32), nn.ReLU(), nn.Linear(32, 1))
    optimiser = th.optim.RMSprop(critic.parameters(), lr=args.lr)
    runner, buffer = EpisodeRunner(args, mac), deque(maxlen=args.buffer_size)
    while runner.t_env <= args.t_max:
        buffer.append(runner.run())  #! MEM102
        episode = buffer[np.random.randint(len(buffer))]
        x = th.stack([th.cat([th.from_numpy(s["obs"]), s["actions"].detach()], -1) for s in episode])
        y = th.tensor([s["reward"] for s in episode])
        loss = (critic(x).mean((1, 2)) - y).pow(2).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


run_sequential(SN(obs=10, hidden=64, acts=2, agents=3, episode_limit=60, buffer_size=5000, lr=5e-4, t_max=30000))
