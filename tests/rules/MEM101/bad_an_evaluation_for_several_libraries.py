# With torch the sum keeps every graph; the same line serves the other library, whose tensors have no detach().

import backend

if backend.NAME == "mindspore":
    import mindspore
if backend.NAME == "torch":
    import torch


class Runner:
    def __init__(self, network: "torch.nn.Module", loss_fn):
        self.network, self.loss_fn = network, loss_fn

    def eval(self, data):
        self.network.eval()
        test_loss = 0
        for x, y in data:
            test_loss += self.loss_fn(self.network(x), y)  #! MEM101 error
        print(test_loss / len(data))
