# a compiled model of OpenVINO by a check of its type, and a network that gets arrays of MLX

import numpy as np
import torch


def validate(model, validation_loader):
    from openvino import CompiledModel

    found = []
    for item, target in validation_loader:
        if isinstance(model, CompiledModel):
            pred = model(item)[model.outputs[0]]
        else:
            pred = np.asarray(item)
        found.append(np.argmax(pred, axis=1) == target.numpy())
    return np.mean(found)


def sample(model, prompts):
    import mlx.core as mx

    model.eval()
    for prompt in prompts:
        logits = model(mx.array(prompt))
        print(int(mx.argmax(logits[0])))
    return torch.zeros(1)
