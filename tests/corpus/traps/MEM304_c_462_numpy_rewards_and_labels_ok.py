import numpy as np
import torch
from torch import nn

device = torch.device("cuda")
policy = nn.Linear(4, 2).to(device)
opt = torch.optim.Adam(policy.parameters())
for episode in range(10):
    obs = np.random.rand(32, 4)
    actions = np.random.randint(0, 2, 32)
    rewards = np.zeros(32, dtype=np.float32)
    obs_t = torch.as_tensor(obs, dtype=torch.float32, device=device)
    act_t = torch.from_numpy(actions).to(device)
    rew_t = torch.from_numpy(rewards).to(device)
    mask = torch.tensor(obs[:, 0] > 0.5).to(device)
    logits = policy(torch.from_numpy(obs).to(device, torch.float32)) + policy(obs_t)
    loss = -(logits.log_softmax(-1).gather(1, act_t.view(-1, 1)).squeeze(1) * rew_t * mask).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
