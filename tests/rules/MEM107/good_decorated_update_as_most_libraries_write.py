# a decorated update, as most libraries write it

import torch


class ModelEma(torch.nn.Module):
    def __init__(self, model, decay=0.9999):
        super().__init__()
        self.shadow = [p.clone().detach() for p in model.parameters()]
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for i, p in enumerate(model.parameters()):
            self.shadow[i] = self.decay * self.shadow[i] + (1 - self.decay) * p


net = torch.nn.Linear(2, 2)
ema = ModelEma(net)
for _ in range(5):
    ema.update(net)
