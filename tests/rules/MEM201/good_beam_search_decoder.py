# a decoder that searches through probabilities is no network

import numpy as np
import torch


def transcribe(model, decoder, test_loader, device):
    model.eval()
    texts = []
    for x, sizes in test_loader:
        with torch.no_grad():
            out = model(x.to(device)).cpu().numpy()
        found = decoder.decode(torch.tensor(out, device=device), sizes)
        texts += [line[0] for line in found]
    return np.array(texts)
