import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class SAC:
    def __init__(self, actor, q1, q2, target_entropy, lr=3e-4, device="cuda"):
        self.actor, self.q1, self.q2 = actor.to(device), q1.to(device), q2.to(device)
        self.q1_t, self.q2_t = copy.deepcopy(q1), copy.deepcopy(q2)
        self.log_alpha = torch.zeros(1, requires_grad=True, device=device)
        self.pi_opt = torch.optim.Adam(self.actor.parameters(), lr)
        self.q_opt = torch.optim.Adam(list(self.q1.parameters()) + list(self.q2.parameters()), lr)
        self.a_opt = torch.optim.Adam([self.log_alpha], lr)
        self.target_entropy = target_entropy

    def update(self, batch, gamma=0.99):
        s, a, r, s2, d = batch
        alpha = self.log_alpha.exp().detach()
        with torch.no_grad():
            a2, lp2 = self.actor.sample(s2)
            tq = torch.min(self.q1_t(s2, a2), self.q2_t(s2, a2)) - alpha * lp2
            y = r + gamma * (1 - d) * tq
        q_loss = F.mse_loss(self.q1(s, a), y) + F.mse_loss(self.q2(s, a), y)
        self.q_opt.zero_grad()
        q_loss.backward()
        self.q_opt.step()

        pi, lp = self.actor.sample(s)
        pi_loss = (alpha * lp - torch.min(self.q1(s, pi), self.q2(s, pi))).mean()
        self.pi_opt.zero_grad()
        pi_loss.backward()
        self.pi_opt.step()

        a_loss = -(self.log_alpha * (lp + self.target_entropy).detach()).mean()
        self.a_opt.zero_grad()
        a_loss.backward()
        self.a_opt.step()
        return {"q_loss": q_loss, "pi_loss": pi_loss, "alpha_loss": a_loss}


def train(agent, env, buffer, steps, warmup=1000):
    infos = []
    s = env.reset()
    for t in range(steps):
        with torch.no_grad():
            a, _ = agent.actor.sample(torch.as_tensor(s, device="cuda").float()[None])
        s2, r, d, _ = env.step(a[0].cpu().numpy())
        buffer.add(s, a[0].cpu().numpy(), r, s2, d)
        s = env.reset() if d else s2
        if t > warmup:
            infos.append(agent.update(buffer.sample(256)))  #! MEM102
        if t % 1000 == 0 and infos:
            print(t, {k: float(v) for k, v in infos[-1].items()})
