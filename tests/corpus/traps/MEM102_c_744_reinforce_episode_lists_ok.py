import torch
from torch.distributions import Normal


def episode(env, policy, opt, gamma=0.98):
    log_probs, entropies, rewards = [], [], []
    obs, done = env.reset(), False
    while not done:
        mu, sigma = policy(torch.from_numpy(obs).float())
        dist = Normal(mu, sigma)
        a = dist.sample()
        log_probs.append(dist.log_prob(a).sum())
        entropies.append(dist.entropy().sum())
        obs, r, done, _ = env.step(a.numpy())
        rewards.append(r)
    g, loss = 0.0, 0.0
    for lp, ent, r in zip(reversed(log_probs), reversed(entropies), reversed(rewards)):
        g = r + gamma * g
        loss = loss - lp * g - 0.01 * ent
    opt.zero_grad()
    loss.backward()
    opt.step()
    return sum(rewards)


def train(env, policy):
    opt = torch.optim.Adam(policy.parameters(), 1e-3)
    return [episode(env, policy, opt) for _ in range(1000)]
