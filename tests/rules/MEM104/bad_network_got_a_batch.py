# the first row of each batch keeps the embeddings of the whole batch

import torch


def extract(encoder, loader, device):
    encoder.eval()
    features = []
    with torch.no_grad():
        for window in loader:
            embedding = encoder(window.to(device))
            features.append(embedding[0, :])  #! MEM104 warning
    return torch.stack(features)
