# what a few updates of one training step give is gone with the step

import torch


class Painter:
    def train_generator(self, batch, optimizer):
        logs = {"loss": torch.nn.functional.softplus(-self.critic(self.generator(batch))).mean()}
        optimizer.zero_grad()
        sum(logs.values()).backward()
        optimizer.step()
        return logs

    def train_step(self, batch, optimizer):
        logs = []
        for _ in range(self.generator_steps):
            logs.append(self.train_generator(batch, optimizer))
        return {key: torch.stack([log[key] for log in logs]).mean() for key in logs[0]}
