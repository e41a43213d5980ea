import torch


class Buffer:
    def __init__(self):
        self.states, self.logprobs, self.values = [], [], []

    def clear(self):
        del self.states[:], self.logprobs[:], self.values[:]


class PPO:
    def __init__(self, policy, policy_old, opt):
        self.policy, self.policy_old, self.opt = policy, policy_old, opt
        self.buffer = Buffer()

    def select_action(self, state):
        with torch.no_grad():
            a, lp, v = self.policy_old.act(state)
        self.buffer.states.append(state)
        self.buffer.logprobs.append(lp)
        self.buffer.values.append(v)
        return a.item()

    def update(self, ret):
        s = torch.stack(self.buffer.states)
        old = torch.stack(self.buffer.logprobs)
        for _ in range(4):
            lp, v = self.policy.evaluate(s)
            loss = -((lp - old).exp() * (ret - v.detach())).mean() + (v - ret).pow(2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        self.policy_old.load_state_dict(self.policy.state_dict())
        self.buffer.clear()
