# networks and tapes of warp are none of torch

import warp as wp


class Agent:
    def __init__(self, policy, optimizer):
        self.policy, self.optimizer = policy, optimizer

    def update(self, memory):
        for batch in memory.sample(64):
            with wp.Tape() as tape:
                loss = self.policy.act(batch)
            tape.backward(loss)
            self.optimizer.step()
            tape.zero()
            entropy = self.policy.get_entropy(batch)
            print(float(entropy.numpy()))
