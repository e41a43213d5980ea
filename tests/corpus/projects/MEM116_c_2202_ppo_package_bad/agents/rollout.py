import torch


class RolloutBuffer:
    def __init__(self):
        self.clear()

    def add(self, obs, action, log_prob, value, reward, done):
        self.obs.append(obs)
        self.actions.append(action)
        self.log_probs.append(log_prob)
        self.values.append(value)
        self.rewards.append(reward)
        self.dones.append(done)

    def clear(self):
        self.obs, self.actions, self.log_probs = [], [], []
        self.values, self.rewards, self.dones = [], [], []

    def batch(self, gamma=0.99):
        ret, out = 0.0, []
        for r, d in zip(reversed(self.rewards), reversed(self.dones)):
            ret = r + gamma * ret * (1 - d)
            out.insert(0, ret)
        stack = torch.stack
        return stack(self.obs), stack(self.actions), stack(self.log_probs).detach(), stack(self.values).detach(), torch.tensor(out)
