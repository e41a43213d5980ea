# what the hook keeps was copied to the host, no more than so many rows of each layer, and it records nothing

import torch


def collect(model, batches, most):
    rows_of, handles = {}, []

    def keep(name):
        def hook(module, inputs):
            rows = inputs[0].detach().float().reshape(-1, inputs[0].shape[-1])
            left = most - sum(len(part) for part in rows_of.get(name, []))
            if left <= 0:
                return
            sample = rows[:left].cpu().numpy()
            rows_of.setdefault(name, []).append(sample)

        return hook

    for name, module in model.named_modules():
        if isinstance(module, torch.nn.Linear):
            handles.append(module.register_forward_pre_hook(keep(name)))
    model.eval()
    try:
        with torch.inference_mode():
            for batch in batches:
                model(batch.cuda())
    finally:
        for handle in handles:
            handle.remove()
    return rows_of
