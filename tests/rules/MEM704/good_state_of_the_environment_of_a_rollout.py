# The environment of an evaluation is saved before each trial and restored after it.

import torch


class Evaluator:
    def __init__(self, builder, policy):
        self._env = builder.get_new_env()
        self.policy = policy.cuda()
        self.best_state = None

    def search(self, actions):
        gains = []
        for action in actions:
            self.best_state = self._env.state_dict()
            with torch.no_grad():
                gains.append(self.policy(self._env.step(action)).max().item())
            self._env.load_state_dict(self.best_state)
        return gains
