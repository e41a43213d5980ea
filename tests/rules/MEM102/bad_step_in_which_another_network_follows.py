# a method that is one step keeps its losses, and lets another network follow in a loop over the weights

import torch
import torch.nn.functional as F


class SAC:
    def __init__(self, actor, q1, q2, q1_t, q2_t, lr):
        self.actor, self.q1, self.q2 = actor.cuda(), q1.cuda(), q2.cuda()
        self.q1_target, self.q2_target = q1_t.cuda(), q2_t.cuda()
        self.a_opt = torch.optim.Adam(self.actor.parameters(), lr)
        self.q_opt = torch.optim.Adam(list(self.q1.parameters()) + list(self.q2.parameters()), lr)
        self.log_alpha = torch.zeros(1, requires_grad=True, device="cuda")
        self.alpha_opt = torch.optim.Adam([self.log_alpha], lr)
        self.q_losses, self.a_losses = [], []

    def update(self, replay, bs, gamma=0.99, tau=0.005):
        s, a, r, s2, nd = replay.sample(bs)
        a2, lp2 = self.actor.sample(s2)
        later = torch.min(self.q1_target(s2, a2), self.q2_target(s2, a2))
        tq = later - self.log_alpha.exp() * lp2
        y = (r + nd * gamma * tq).detach()
        ql = F.mse_loss(self.q1(s, a), y) + F.mse_loss(self.q2(s, a), y)
        self.q_opt.zero_grad()
        ql.backward()
        self.q_opt.step()
        pi, lp = self.actor.sample(s)
        al = (self.log_alpha.exp().detach() * lp - torch.min(self.q1(s, pi), self.q2(s, pi))).mean()
        self.a_opt.zero_grad()
        al.backward()
        self.a_opt.step()
        self.q_losses.append(ql)  #! MEM102 warning
        self.a_losses.append(al)  #! MEM102 warning
        for p, t in zip(self.q1.parameters(), self.q1_target.parameters()):
            t.data.copy_(tau * p.data + (1 - tau) * t.data)
