# state vectors on the GPU, a small matter

from collections import deque

import gymnasium
import torch

device = "cuda"
env = gymnasium.make("Acrobot-v1")
q_net = torch.nn.Linear(6, 3).to(device)
buffer = deque(maxlen=10_000)
state = torch.tensor(env.reset()[0], device=device)
for step in range(1000):
    with torch.no_grad():
        action = q_net(state).argmax().item()
    obs, reward, done, _, _ = env.step(action)
    buffer.append((state, action, reward))  #! MEM116 advice
    state = torch.tensor(obs, device=device)
