# a step without a usable loss adds the mean so far: no new graph enters, and what the other branch adds is detached

import torch


class Trainer:
    def __init__(self, args, optimizer, accelerator):
        self.args, self.optimizer, self.accelerator = args, optimizer, accelerator

    def training_step(self, model, inputs):
        if self.args.parallel:
            return self.forward_backward(model, inputs)
        loss = self.compute_loss(model, inputs)
        self.accelerator.backward(loss)
        return loss.detach()

    def epoch(self, model, batches):
        total = torch.tensor(0.0, device=self.args.device)
        for step, inputs in enumerate(batches):
            now = self.training_step(model, inputs)
            if torch.isnan(now):
                total = total + total / (1 + step)
            else:
                total = total + now
            self.optimizer.step()
            self.optimizer.zero_grad()
            if step % 100 == 0:
                self.log(total)
        return total.item()

    def log(self, total):
        print(self.gathered(total).mean().item())
        total -= total
