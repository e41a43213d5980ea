# the base class, in another file, has the scaler and updates it

from torch.nn.utils import clip_grad_norm_
from algorithms import ActorCritic


class Natural(ActorCritic):
    def optimize(self, loss):
        self.optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)
        clip_grad_norm_(self.policy.parameters(), 1.0)
        self.scaler.step(self.optimizer)

    def train(self, batches):
        for batch in batches:
            self.optimize(self.policy(batch).mean())
            self.on_batch_end()
