import torch
from torch import nn

actor = nn.Linear(3, 2)
critic1, critic2 = nn.Linear(5, 1), nn.Linear(5, 1)
log_alpha = torch.zeros(1, requires_grad=True)
actor_opt = torch.optim.Adam(actor.parameters())
critic_opt = torch.optim.Adam(list(critic1.parameters()) + list(critic2.parameters()))
alpha_opt = torch.optim.Adam([log_alpha])
for obs, act, nxt, rew in zip(*(torch.randn(20, 8, n) for n in (3, 2, 3, 1))):
    with torch.no_grad():
        na = actor(nxt).tanh()
        target = rew + 0.99 * torch.min(critic1(torch.cat([nxt, na], 1)), critic2(torch.cat([nxt, na], 1)))
    q1, q2 = critic1(torch.cat([obs, act], 1)), critic2(torch.cat([obs, act], 1))
    critic_loss = (q1 - target).pow(2).mean() + (q2 - target).pow(2).mean()
    critic_opt.zero_grad()
    critic_loss.backward()
    critic_opt.step()
    a = actor(obs).tanh()
    actor_loss = (log_alpha.exp().detach() * a.pow(2).sum(1) - critic1(torch.cat([obs, a], 1)).squeeze(1)).mean()
    actor_opt.zero_grad()
    actor_loss.backward()
    actor_opt.step()
    alpha_loss = -(log_alpha * (a.detach().pow(2).sum(1) - 2)).mean()
    alpha_opt.zero_grad()
    alpha_loss.backward()
    alpha_opt.step()
