# nothing is a tensor: pairs of actions and chances, a table of what states are worth


class Values:
    def __init__(self, policy, model, env):
        self._policy, self._model, self._env = policy, model, env
        self._values = {}

    def evaluate(self, least):
        delta = 1.0
        while delta >= least:
            delta = 0.0
            for state in self._env.states:
                new_value = 0.0
                for action, chance in self._policy(state):
                    for _, reward in self._model(state, action).items():
                        new_value += chance * reward.prob * reward.reward
                delta = max(delta, abs(new_value))
                self._values[state] = new_value
        print("torch", len(self._values))
