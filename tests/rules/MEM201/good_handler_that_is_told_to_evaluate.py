# the object of many models is told to evaluate, and sees to the grad mode itself

import torch


def predict(handler, sampler, data, starts, ends):
    handler.eval()
    kept = []
    for i in range(len(starts)):
        batch = sampler.get_validation_sample(data, starts[i], ends[i])
        found = handler.model(batch, eval=True)
        kept.append({name: tensor.detach().cpu() for name, tensor in found.items()})
    return {name: torch.cat([part[name] for part in kept]) for name in kept[0]}
