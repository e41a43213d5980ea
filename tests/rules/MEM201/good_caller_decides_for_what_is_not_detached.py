# without `detach()` a getter counts on a caller under no_grad, with one its results may still be trained on

import torch


class Surrogate:
    def __init__(self, model):
        self.model = model

    def answers(self, rows):
        return [self.model(row).cpu().numpy() for row in torch.as_tensor(rows)]

    def tensors(self, rows):
        found = []
        for row in torch.as_tensor(rows):
            answer = self.model(row)
            print(answer.detach().mean().item())
            found.append(answer)
        return found
