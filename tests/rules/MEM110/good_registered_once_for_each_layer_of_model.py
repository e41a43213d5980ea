# registered once for each layer of a model, or on tensors that die with the step

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(3))
        self.peak = 0.0
        for layer in self.layers:
            layer.register_forward_hook(self._note)

    def _note(self, module, inputs, output):
        self.peak = max(self.peak, output.abs().max().item())

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        x.register_hook(lambda grad: grad.clamp(-1, 1))
        return x


net = Net()
for parameter in net.parameters():
    parameter.register_hook(lambda grad: grad * 0.5)
for x in torch.randn(8, 2, 4):
    net(x).sum().backward()
