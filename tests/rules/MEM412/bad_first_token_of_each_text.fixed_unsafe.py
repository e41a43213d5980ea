# in a list, a view of the first token would keep all tokens of the batch

import torch
from torch import nn

encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(256, 4, batch_first=True), 2).cuda().eval()


@torch.no_grad()
def embed(loader):
    vectors = [torch.zeros(0, 256, device="cuda")]
    for tokens in loader:
        hidden = encoder(tokens.cuda())
        vectors.append(hidden[:, 0].clone())
    vectors = torch.cat(vectors, dim=0)
    return vectors.cpu()
