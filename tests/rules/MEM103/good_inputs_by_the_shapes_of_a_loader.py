# one input for each shape that a loader is known to give: no batches

import torch


def dummy_outputs(model):
    inputs = {
        name: torch.randn([1, *shape]).to(model.device)
        for shapes in model.nodes.loader_input_shapes.values()
        for name, shape in shapes.items()
    }
    model.eval()
    with torch.no_grad():
        return model(inputs)
