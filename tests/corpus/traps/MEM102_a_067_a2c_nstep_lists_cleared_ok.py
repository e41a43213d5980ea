import torch
import torch.nn.functional as F


def worker(env, model, optimizer, max_steps, n=20, gamma=0.99):
    obs = env.reset()
    for _ in range(max_steps // n):
        log_probs, values, rewards, entropies = [], [], [], []
        for _ in range(n):
            logits, value = model(torch.from_numpy(obs).float())
            dist = torch.distributions.Categorical(logits=logits)
            a = dist.sample()
            obs, r, done, _ = env.step(a.item())
            log_probs.append(dist.log_prob(a))
            values.append(value)
            entropies.append(dist.entropy())
            rewards.append(r)
            if done:
                obs = env.reset()
                break
        R = 0.0
        policy_loss, value_loss = 0, 0
        for i in reversed(range(len(rewards))):
            R = gamma * R + rewards[i]
            adv = R - values[i]
            value_loss = value_loss + 0.5 * adv.pow(2)
            policy_loss = policy_loss - log_probs[i] * adv.detach() - 0.01 * entropies[i]
        optimizer.zero_grad()
        (policy_loss + 0.5 * value_loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 40)
        optimizer.step()
