# own functions and methods with these names

import torch


class Tracker:
    def memory_cached(self):
        return torch.cuda.memory_reserved()


def clip_grad_norm(parameters, limit):
    return torch.nn.utils.clip_grad_norm_(parameters, limit)


print(Tracker().memory_cached(), clip_grad_norm([], 1.0))
