# the network got one row, so its first row is the whole result

import torch


def extract(encoder, recordings, device):
    encoder.eval()
    features = []
    with torch.no_grad():
        for recording in recordings:
            for window in recording:
                window = torch.as_tensor(window)[None].to(device)
                embedding = encoder(window)
                features.append(embedding[0, :])
    return torch.stack(features)
