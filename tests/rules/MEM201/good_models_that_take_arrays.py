# what takes NumPy arrays, or gives them, is no module of torch that builds a graph

import numpy as np
import torch


def encrypted(quantized_module, loader, mode):
    hits = 0
    for data, target in loader:
        data = data.numpy()
        logits = torch.tensor(quantized_module.forward(data, fhe=mode), requires_grad=False)
        hits += (torch.sigmoid(logits).argmax(1).numpy() == target.numpy()).sum()
    print(hits)


def compiled(model, loader):
    for data, _ in loader:
        print(model(np.asarray(data)).argmax())


def bags(extractor, slides, predict):
    for slide in slides:
        masked = extractor(slide)
        print(predict(np.expand_dims(masked.reshape((-1, masked.shape[-1])), axis=0)))
