import collections
import gymnasium as gym
import torch
import torch.nn as nn
import torch.nn.functional as F


class QNet(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, 128), nn.ReLU(), nn.Linear(128, act))

    def forward(self, x):
        return self.body(x)


def train(env_id="CartPole-v1", episodes=500, gamma=0.99):
    env = gym.make(env_id)
    q = QNet(env.observation_space.shape[0], env.action_space.n)
    target = QNet(env.observation_space.shape[0], env.action_space.n)
    target.load_state_dict(q.state_dict())
    optimizer = torch.optim.Adam(q.parameters(), lr=1e-3)
    td_errors = []
    for ep in range(episodes):
        obs, _ = env.reset()
        done = False
        while not done:
            state = torch.as_tensor(obs, dtype=torch.float32)
            qs = q(state)
            action = int(qs.argmax())
            obs, reward, term, trunc, _ = env.step(action)
            done = term or trunc
            with torch.no_grad():
                nxt = target(torch.as_tensor(obs, dtype=torch.float32)).max()
                y = reward + gamma * nxt * (not done)
            td = F.smooth_l1_loss(qs[action], y)
            optimizer.zero_grad()
            td.backward()
            optimizer.step()
            td_errors.append(td)  #! MEM102
        if ep % 20 == 0:
            target.load_state_dict(q.state_dict())
            print(ep, sum(td_errors[-200:]) / len(td_errors[-200:]))
