# The base class makes the scaler and updates it after the steps of both networks: a second update would raise.

import torch

from algorithms import ActorCritic


class Preconditioned(ActorCritic):
    def optimize_policy(self, loss):
        self.policy_optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.policy_optimizer)
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.scaler.step(self.policy_optimizer)
        return {"loss": loss.item()}

    def train(self, loader):
        for states, returns in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = (self.policy(states) - returns).pow(2).mean()
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.after_step()
