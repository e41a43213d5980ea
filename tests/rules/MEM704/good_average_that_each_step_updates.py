# an average of the weights and an old policy are needed on the device, and a fixed number is a setting, no result

import copy

import torch


class Engine:
    def __init__(self, task, optimizer, ema_decay, device):
        self.model, self.optimizer, self.ema_decay, self.device = task, optimizer, ema_decay, device
        self.model.to(device)

    def load(self, path):
        state = torch.load(path, map_location=self.device)
        self.model.load_state_dict(state["model"])
        if self.ema_decay > 0:
            if "ema_model" in state:
                self.ema_model.load_state_dict(state["ema_model"])
            else:
                self.ema_model = copy.deepcopy(self.model)
            self.ema_model.eval()

    def swap(self, step):
        if step > self.next_update:
            self.old_policy = copy.deepcopy(self.model)
        if self.decay > 0.5:
            self.shadow = copy.deepcopy(self.model)

    def train(self, loader):
        self.model.train()
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(self.model(x.to(self.device)), y.to(self.device))
            loss.backward()
            self.optimizer.step()
