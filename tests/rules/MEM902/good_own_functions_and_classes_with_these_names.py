# own functions and classes with these names

import torch


def count_parameters(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


class cuda:
    @staticmethod
    def clear_cache():
        torch.cuda.empty_cache()


cuda.clear_cache()
print(count_parameters(torch.nn.Linear(2, 2)))
