# two callers, and none uses the GPU

import torch
from corpora import make_loader
from encoders import TextEncoder


def encode_all(encoder, loader, device):
    encoder.eval()
    out = []
    with torch.no_grad():
        for ids, mask in loader:
            out.append(encoder(ids.to(device), mask.to(device)))
    return torch.cat(out, 0)


torch.save(encode_all(TextEncoder(width=64), make_loader("tiny"), torch.device("cpu")), "tiny.pt")
torch.save(encode_all(TextEncoder(width=99), make_loader("full"), torch.device("cpu")), "full.pt")
