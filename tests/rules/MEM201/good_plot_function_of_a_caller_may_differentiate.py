# what is plotted is computed by a function of the caller, which may need the graph

import torch


def frames(model, plot_function, points):
    model.eval()
    found = []
    for point in points:
        made = plot_function(model(point), point)
        found.append(made.detach().cpu().numpy())
    return found
