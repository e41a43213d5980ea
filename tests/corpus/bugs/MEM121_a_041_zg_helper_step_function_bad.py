import torch
import torch.nn.functional as F


def optimize(loss, optimizer, params, max_norm=None):
    loss.backward()  #! MEM121
    if max_norm is not None:
        torch.nn.utils.clip_grad_norm_(params, max_norm)
    optimizer.step()


def ppo_update(policy, value, batch, pi_opt, vf_opt, clip=0.2, epochs=4):
    obs, act, adv, ret, old_logp = batch
    for _ in range(epochs):
        idx = torch.randperm(len(obs))
        for chunk in idx.split(64):
            dist = policy(obs[chunk])
            ratio = torch.exp(dist.log_prob(act[chunk]) - old_logp[chunk])
            surr = torch.min(ratio * adv[chunk], ratio.clamp(1 - clip, 1 + clip) * adv[chunk])
            pi_loss = -surr.mean() - 0.01 * dist.entropy().mean()
            optimize(pi_loss, pi_opt, policy.parameters(), 0.5)
            v_loss = F.mse_loss(value(obs[chunk]).squeeze(-1), ret[chunk])
            optimize(v_loss, vf_opt, value.parameters())


def build(policy, value):
    return (torch.optim.Adam(policy.parameters(), lr=3e-4, eps=1e-5),
            torch.optim.Adam(value.parameters(), lr=1e-3))
