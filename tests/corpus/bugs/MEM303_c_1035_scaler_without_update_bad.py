import torch
import torch.nn as nn
from torch.amp import GradScaler, autocast


class Agent:
    def __init__(self, policy):
        self.policy = policy.cuda()
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=2.5e-4, eps=1e-5)
        self.scaler = GradScaler("cuda")

    def learn(self, obs, actions, adv, old_logp, clip=0.2):
        with autocast("cuda"):
            dist = torch.distributions.Categorical(logits=self.policy(obs))
            ratio = (dist.log_prob(actions) - old_logp).exp()
            loss = -torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean()
        self.opt.zero_grad()
        self.scaler.scale(loss).backward()
        self.opt.step()  #! MEM303
        self.scaler.update()
        return loss.item()


def run(agent, rollouts):
    for obs, actions, adv, logp in rollouts:
        agent.learn(obs.cuda(), actions.cuda(), adv.cuda(), logp.cuda())
