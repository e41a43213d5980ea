# accelerate makes the optimizer's zero_grad wait, but not the model's

import torch
from accelerate import Accelerator
from torch import nn


class Trainer:
    def __init__(self, args, policy, optimizer, loader):
        self.accelerator = Accelerator(gradient_accumulation_steps=args.accumulate)
        self.policy, self.optimizer, self.loader = self.accelerator.prepare(policy, optimizer, loader)

    def epoch(self):
        for batch in self.loader:
            with self.accelerator.accumulate(self.policy):
                loss = self.policy(**batch).loss
                self.accelerator.backward(loss)
                if self.accelerator.sync_gradients:
                    nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
                self.optimizer.step()
                self.policy.zero_grad(set_to_none=True)  #! MEM124 error


def main(loader):
    accelerator = Accelerator(gradient_accumulation_steps=8)
    model = nn.Linear(16, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:
        with accelerator.accumulate(model):
            model.zero_grad()  #! MEM124 error
            accelerator.backward(nn.functional.cross_entropy(model(x), y))
            optimizer.step()
