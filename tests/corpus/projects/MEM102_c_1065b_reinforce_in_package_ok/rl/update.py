import torch


def returns_of(rewards, gamma):
    out, g = [], 0.0
    for r in reversed(rewards):
        g = r + gamma * g
        out.insert(0, g)
    return torch.tensor(out)


def finish(policy, optimizer, gamma=0.99):
    ret = returns_of(policy.rewards, gamma)
    loss = -(torch.stack(policy.log_probs) * ret).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    policy.clear()
    return float(loss)
