import random
from collections import deque

import torch


def collect(env, encoder, q, opt, steps, eps=0.1):
    """Latents of pictures are kept in the replay so that they need not be encoded twice."""
    replay = deque(maxlen=100_000)
    obs = env.reset()
    z = encoder(obs)
    for t in range(steps):
        a = env.action_space.sample() if random.random() < eps else q(z).argmax(-1).item()
        obs, reward, done, info = env.step(a)
        z_next = encoder(obs)
        replay.append((z, a, reward, z_next, done))  #! MEM116
        z = z_next
        if len(replay) > 1000:
            s, act, r, s2, d = zip(*random.sample(replay, 32))
            s, s2 = torch.stack(s).detach(), torch.stack(s2).detach()
            target = torch.tensor(r) + 0.99 * q(s2).max(1).values.detach() * (1 - torch.tensor(d).float())
            loss = (q(s).gather(1, torch.tensor(act)[:, None]).squeeze(1) - target).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        if done:
            z = encoder(env.reset())
