# rollout that is emptied after the update and needs numbers only

import torch
from torch.distributions import Categorical


def ppo(envs, policy, opt, updates, horizon):
    states, actions, old_logps = [], [], []
    obs = envs.reset()
    for update in range(updates):
        for t in range(horizon):
            dist = Categorical(logits=policy(obs))
            action = dist.sample()
            states.append(obs)
            actions.append(action)
            old_logps.append(dist.log_prob(action).detach())
            obs, reward, done, _ = envs.step(action)
        old = torch.stack(old_logps).detach()
        new = Categorical(logits=policy(torch.stack(states))).log_prob(torch.stack(actions))
        loss = -(new - old).exp().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        states.clear()
        actions.clear()
        old_logps.clear()
