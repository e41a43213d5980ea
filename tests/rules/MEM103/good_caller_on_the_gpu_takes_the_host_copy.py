# each batch of vectors goes to the host, whoever asks for it

import torch
from corpora import make_loader
from encoders import TextEncoder


@torch.no_grad()
def encode_all(encoder, loader, device):
    out = []
    for ids in loader:
        out.append(encoder(ids.to(device)).cpu())
    return torch.cat(out, 0)


torch.save(encode_all(TextEncoder(width=64), make_loader("tiny"), torch.device("cpu")), "tiny.pt")
torch.save(encode_all(TextEncoder(width=99).cuda(), make_loader("full"), torch.device("cuda")), "full.pt")
