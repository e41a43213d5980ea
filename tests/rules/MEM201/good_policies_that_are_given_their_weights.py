# rows of a population are the weights that the policy runs with

import torch


class Problem:
    def __init__(self, policy, simulator):
        self._policy, self._simulator = policy, simulator

    def _evaluate_all(self, batch):
        values = batch.values.to("cuda")
        policy = self._policy
        policy.set_parameters(values)
        seen = self._simulator.begin()
        scores = torch.zeros(len(values))
        while True:
            action = policy(torch.as_tensor(seen, dtype=values.dtype))
            seen, scores_now, done = self._simulator.advance(action.argmax(dim=-1))
            scores += scores_now
            if done:
                break
        batch.set_evals(scores)
