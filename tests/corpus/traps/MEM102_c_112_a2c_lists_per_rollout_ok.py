import torch
from torch.distributions import Normal


def a2c(envs, net, optimizer, frames, steps=5):
    state = torch.FloatTensor(envs.reset())
    for _ in range(frames // steps):
        log_probs, values, rewards, entropy = [], [], [], 0
        for _ in range(steps):
            mu, value = net(state)
            dist = Normal(mu, 0.5)
            action = dist.sample()
            nxt, reward, done, _ = envs.step(action.cpu().numpy())
            log_probs.append(dist.log_prob(action))
            values.append(value)
            entropy = entropy + dist.entropy().mean()
            rewards.append(torch.FloatTensor(reward))
            state = torch.FloatTensor(nxt)
        returns = torch.stack(rewards).flip(0).cumsum(0).flip(0)
        advantage = returns - torch.stack(values)
        loss = -(torch.stack(log_probs) * advantage.detach()).mean() + 0.5 * advantage.pow(2).mean()
        loss = loss - 0.001 * entropy
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
