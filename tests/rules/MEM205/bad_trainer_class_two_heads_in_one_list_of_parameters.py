# trainer class: two heads in one list of parameters

import torch
import timm


class Trainer:
    def __init__(self, lr):
        self.model = timm.create_model("vit_small_patch16_224", pretrained=True)
        self.model.head = torch.nn.Linear(384, 10)
        self.optim = torch.optim.SGD(list(self.model.head.parameters()), lr)  #! MEM205 warning

    def fit(self, loader):
        for x, y in loader:
            self.optim.zero_grad()
            self.loss(x, y).backward()
            self.optim.step()

    def loss(self, x, y):
        return torch.nn.functional.cross_entropy(self.model(x), y)


Trainer(0.1).fit([(torch.randn(2, 3, 224, 224), torch.tensor([1, 8]))] * 3)
