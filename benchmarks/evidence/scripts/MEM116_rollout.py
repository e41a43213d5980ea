# claim: GROWTH, expected: confirmed (each stored log-probability keeps the graph of its forward pass)
import torch
from torch import nn
from torch.distributions import Categorical


class Env:
    def reset(self):
        return torch.randn(64, 16)

    def step(self, action):
        return torch.randn(64, 16), torch.rand(64), False, {}


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
env = Env()
policy = nn.Sequential(nn.Linear(16, 256), nn.ReLU(), nn.Linear(256, 4)).to(device)
optimizer = torch.optim.Adam(policy.parameters())
for _ in range(3):
    observations, actions, log_probabilities = [], [], []
    observation = env.reset().to(device)
    for _ in range(30):
        distribution = Categorical(logits=policy(observation))
        action = distribution.sample()
        observations.append(observation)
        actions.append(action)
        log_probabilities.append(distribution.log_prob(action))
        observation, reward, done, _ = env.step(action)
        observation = observation.to(device)
    old = torch.stack(log_probabilities).detach()
    new = Categorical(logits=policy(torch.stack(observations))).log_prob(torch.stack(actions))
    loss = -(new - old).exp().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
