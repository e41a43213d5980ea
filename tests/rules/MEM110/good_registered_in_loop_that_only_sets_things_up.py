# registered in a loop that only sets things up

import fnmatch

import torch


class Stats:
    def __init__(self, model, patterns, functions):
        self.model, self.last = model, {}
        for pattern, function in zip(patterns, functions):
            self.watch(pattern, function)

    def watch(self, pattern, function):
        def note(module, inputs, output):
            self.last[pattern] = function(output.detach())

        for name, module in self.model.named_modules():
            if fnmatch.fnmatch(name, pattern):
                module.register_forward_hook(note)


model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.ReLU())
stats = Stats(model, ["0", "1"], [torch.mean, torch.std])
for x in torch.randn(5, 2, 3):
    print(model(x).sum().item(), stats.last)
