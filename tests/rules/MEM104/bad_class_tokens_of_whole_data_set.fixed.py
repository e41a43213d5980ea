# class tokens of a whole data set

import torch
from torch.utils.data import DataLoader, TensorDataset

encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(32, 4, batch_first=True), 2)
loader = DataLoader(TensorDataset(torch.randn(256, 50, 32)), batch_size=16)
encoder.eval()
cls = []
with torch.no_grad():
    for (tokens,) in loader:
        hidden = encoder(tokens)
        cls.append(hidden[:, 0].clone())
print(torch.cat(cls).shape)
