# a contrastive loss needs the outputs of all parts

import torch
import torch.nn.functional as F

encoder = torch.nn.Linear(12, 6)
opt = torch.optim.Adam(encoder.parameters())
for batch in torch.randn(7, 16, 12):
    embeddings = []
    for part in batch.chunk(4):
        embeddings.append(F.normalize(encoder(part), dim=1))
    z = torch.cat(embeddings)
    loss = F.cross_entropy(z @ z.t() / 0.1, torch.arange(16))
    opt.zero_grad()
    loss.backward()
    opt.step()
