# hooks read the functions of the graph, to find out which layer feeds which

import torch


def trace(model, example_inputs):
    model.eval()
    layers = {}

    def note(module, inputs, outputs):
        layers[outputs.grad_fn] = module

    hooks = [m.register_forward_hook(note) for m in model.modules() if isinstance(m, torch.nn.Linear)]
    out = model(*example_inputs)
    for hook in hooks:
        hook.remove()
    return layers, out.shape
