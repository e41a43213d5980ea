# shadow dictionary of an averaging class, with a variable in between

import torch


class EMA:
    def __init__(self, model, decay=0.999):
        self.model, self.decay, self.shadow = model, decay, {}

    def register(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                self.shadow[name] = param.data.clone()

    def update(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                new_average = (1.0 - self.decay) * param + self.decay * self.shadow[name]
                self.shadow[name] = new_average.clone()  #! MEM107 warning


model = torch.nn.Linear(3, 3)
ema = EMA(model)
ema.register()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.randn(30, 5, 3):
    optimizer.zero_grad()
    model(x).pow(2).mean().backward()
    optimizer.step()
    ema.update()
