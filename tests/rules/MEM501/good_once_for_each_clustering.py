# each pass fits a model to all samples: one cleaning beside that costs nothing to speak of

import gc

import torch


@torch.no_grad()
def elbow(cluster_module, samples, most, device="cuda"):
    inertias = []
    for k in list(range(1, most + 1)):
        clusters = cluster_module(n_components=k, tol=1e-4, device=device)
        clusters.fit(samples.to(device), chunk=4096)
        inertias.append(float(clusters.inertia_))
        gc.collect()
        torch.cuda.empty_cache()
    return inertias
