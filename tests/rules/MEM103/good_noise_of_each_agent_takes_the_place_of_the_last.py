# the noise of each agent is made of its last one, and takes its place

import torch


class Agents:
    def __init__(self, names, size):
        self.noise = {name: torch.zeros(1, size, device="cuda") for name in names}
        self.mean = {name: torch.zeros(1, size, device="cuda") for name in names}

    def reset(self, name):
        noise = self.noise[name] + 0.15 * (self.mean[name] - self.noise[name])
        self.noise[name] = noise
        return noise

    def get_action(self, actors, loader):
        actions = {}
        for name, obs in loader.items():
            with torch.no_grad():
                action = actors[name](torch.as_tensor(obs, device="cuda"))
            actions[name] = (action + self.reset(name)).cpu()
        return actions
