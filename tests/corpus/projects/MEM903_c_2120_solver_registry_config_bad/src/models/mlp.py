from torch import nn
from ..registry import MODELS, register
from torch.utils.checkpoint import checkpoint


@register(MODELS)
class MLP(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.a, self.b = nn.Linear(784, 64), nn.Linear(64, n)

    def forward(self, x):
        return self.b(checkpoint(self.a, x.flatten(1)))  #! MEM905
