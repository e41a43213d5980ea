# an environment whose episodes are walked backwards: no gradients are taken, whatever the method is called
import torch
from flows import Actions, make_estimator


class Sampler:
    def __init__(self, path):
        self.estimator = make_estimator(path)

    def rollout(self, env, states, done, reverse=False):
        all_states, all_actions = [states], []
        while not all(done):
            dist = self.estimator.distribution(states[~done])
            with torch.no_grad():
                chosen = dist.sample()
            actions = Actions(chosen)
            all_actions.append(actions)
            states = env._backward_step(states, actions) if reverse else env.forward_step(states, actions)
            done = done | states.is_terminal
            all_states.append(states)
        return all_states, all_actions
