# a hook on the dropout layer looks at the map: a fused kernel would not run the layer

from torch import nn


class Watched(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.1)
        self.drop.register_forward_hook(self.look)

    def look(self, layer, given, weights):
        print(weights.max())

    def forward(self, q, k, v):
        scores = q @ k.transpose(-2, -1)  #! MEM803 advice
        return self.drop(scores.softmax(-1)) @ v
