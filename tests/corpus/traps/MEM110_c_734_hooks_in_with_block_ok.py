import torch


def layer_outputs(net, layers, batches):
    """Hooks live as long as one batch."""
    for x in batches:
        found = []
        handles = []
        for layer in layers:
            handles.append(layer.register_forward_hook(lambda m, i, o: found.append(o)))
        try:
            with torch.no_grad():
                net(x)
        finally:
            for h in handles:
                h.remove()
        yield [f.mean(0) for f in found]


def distances(net, layers, batches):
    total = torch.zeros(len(layers))
    for outs in layer_outputs(net, layers, batches):
        total += torch.stack([o.norm().cpu() for o in outs])
    return total
