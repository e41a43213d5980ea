# what callers give may differentiate the solution, and a method that makes inputs runs no network

import torch


def evaluate_frames(model, plot_function, sampler, points):
    outputs = []
    for number in range(sampler.frame_number):
        point = points[number].join(sampler.rest)
        outputs.append(_evaluate_function(model, plot_function, point))
    return outputs


def _evaluate_function(model, plot_function, point):
    output = plot_function({**model(point).coordinates, **point})
    if isinstance(output, torch.Tensor):
        output = output.detach().cpu().numpy()
    return output


def embeddings(model, loader):
    kept = []
    for batch in loader:
        views = model.batch_to_device(batch, device=model.device)
        nested = model.organize_inputs_by_model(views)
        model.eval()
        with torch.no_grad():
            found = model.parts[0](nested[0])
        kept.append(found.cpu().numpy())
    return kept
